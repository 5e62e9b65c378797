import type { Person } from '../../domain/access/role.js';
import type { Decider } from '../../domain/decider.js';
import type { ConsoleContext } from './console-context.js';

export interface Visit extends ConsoleContext {
  readonly person: Person;
  /** False for a viewer: documents come masked, and what can't be masked is refused. */
  readonly seesPeople: boolean;
  readonly mayAct: boolean;
  /** True where the person can sign out: not where the machine or a proxy identifies people. */
  readonly hasSession: boolean;
  readonly address: Address;
  readonly params: Readonly<Record<string, string>>;
  /** The CSRF token of this browser. */
  readonly formToken: string;
  readonly nowMs: number;
}

export function deciderOf({ person }: Pick<Visit, 'person'>): Decider {
  return { name: person.name, door: 'console' };
}

/** An address of the console, which can be sent to a colleague. */
export interface Address {
  readonly path: string;
  /** One value for each name; of a repeated name all, with commas between them. */
  readonly query: Readonly<Record<string, string>>;
}

/** The address as a link has it, with some of the query's values changed. @param changes null: without that value. */
export function hrefOf({ path, query }: Address, changes: Readonly<Record<string, string | null>> = {}) {
  const merged = Object.entries({ ...query, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
  );
  const search = new URLSearchParams(merged).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** The path of this console that a form continues to; `/` for anything that could lead elsewhere. */
export function ownPath(text: string | undefined): string {
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes('\\') ? text : '/';
}
