import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type Pair, parse, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Role } from '../../domain/access/role.js';
import { columnOf, endOfList, endOfValue, withLines } from './block-text.js';

/** Somebody who logs in with a password, as registrar.yaml has them. */
export interface WrittenUser {
  readonly name: string;
  readonly role: Role;
  /** The hash. */
  readonly password: string;
}

/** The lines of a user, as an entry of `console.users`. */
export function userLines({ name, role, password }: WrittenUser): readonly string[] {
  return [`- name: "${name}"`, `  role: ${role}`, `  password: "${password}"`];
}

/**
 * The text of a registrar.yaml with one more user; every other byte stays as it is.
 * @returns null where the keys around it are not written line by line.
 */
export function insertUser(text: string, user: WrittenUser): string | null {
  const changed = withUser(text, user);
  return changed !== null && isChangeOfUsers(text, changed, (users) => [...users, user]) ? changed : null;
}

/**
 * The text without the user of this name, as it is written there, and without the keys that would be empty then.
 * @returns null where they are not written line by line.
 */
export function removeUser(text: string, name: string): string | null {
  const changed = withoutUser(text, name);
  const others = (users: readonly unknown[]) =>
    users.filter((user) => (user as { readonly name?: unknown }).name !== name);
  return changed !== null && isChangeOfUsers(text, changed, others) ? changed : null;
}

function withUser(text: string, user: WrittenUser): string | null {
  const lines = userLines(user);
  const indented = lines.map((line) => `  ${line}`);
  const { root, console, users } = placesIn(text);
  if (root === null) return null;
  if (console === null) {
    return withLines(text, text.length, ['console:', '  users:', ...indented.map((line) => `  ${line}`)], 0);
  }
  const section = blockMap(console.value);
  if (section === null) return null;
  const column = columnOf(text, startOf(section));
  if (users === null) {
    return withLines(text, endOfList(text, endOfValue(section), column), ['users:', ...indented], column);
  }
  const list = blockList(users.value);
  if (list === null) return null;
  const listColumn = columnOf(text, startOf(list));
  return withLines(text, endOfList(text, endOfValue(list), listColumn), lines, listColumn);
}

function withoutUser(text: string, name: string): string | null {
  const { console, users } = placesIn(text);
  const list = blockList(users?.value);
  if (console === null || users === null || list === null) return null;
  const entry = list.items.find((item) => isMap(item) && item.get('name') === name);
  if (entry === undefined) return null;
  const isLast = list.items.length === 1;
  const section = blockMap(console.value);
  const gone = !isLast ? entry : section?.items.length === 1 ? console.key : users.key;
  const from = lineStart(text, startOf(gone));
  const column = columnOf(text, isLast ? startOf(gone) : startOf(list));
  const end = endOfList(text, endOfValue(entry), column);
  return text.slice(0, from) + text.slice(end);
}

/** The parts of the file around the users; null: there are none, or they are written in another way. */
function placesIn(text: string): { root: YAMLMap | null; console: Pair | null; users: Pair | null } {
  const root = blockMap(parseDocument(text).contents);
  const console = pairIn(root, 'console');
  return { root, console, users: pairIn(blockMap(console?.value), 'users') };
}

function pairIn(map: YAMLMap | null, key: string): Pair | null {
  return map?.items.find((pair) => isScalar(pair.key) && pair.key.value === key) ?? null;
}

function blockMap(node: unknown): YAMLMap | null {
  return isMap(node) && !node.flow && node.items.length > 0 ? node : null;
}

function blockList(node: unknown): YAMLSeq | null {
  return isSeq(node) && !node.flow && node.items.length > 0 ? node : null;
}

function startOf(node: unknown): number {
  return (node as { range?: readonly number[] | null }).range?.[0] ?? 0;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** True where the changed text says the same as before but for the users: what was cut or put in was what it should be. */
function isChangeOfUsers(
  before: string,
  after: string,
  change: (users: readonly unknown[]) => readonly unknown[],
): boolean {
  const [old, now] = [sectionsOf(before), sectionsOf(after)];
  return (
    isDeepStrictEqual(now.users, change(old.users)) &&
    isDeepStrictEqual([now.console, now.others], [old.console, old.others])
  );
}

function sectionsOf(text: string) {
  try {
    const { console, ...others } = parse(text) as { console?: Readonly<Record<string, unknown>> };
    const { users = [], ...rest } = console ?? {};
    return { users: users as readonly unknown[], console: rest, others };
  } catch {
    return { users: [], console: null, others: null };
  }
}
