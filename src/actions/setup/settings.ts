import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { formatPath } from '../../config/checks/mistake.js';
import { CONFIG_FILE, parseConfig } from '../../config/load-config.js';
import { editYaml, type YamlEdit } from '../../config/yaml/edit-yaml.js';
import type { Decider } from '../../domain/decider.js';
import { errorsOf } from '../../domain/operator-error.js';
import { recordEvent } from '../../ledger/access/audit-log.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { replaceFile } from '../../workspace/files/durable.js';
import type { ActionContext, Workspace } from '../context.js';

export interface ChangedLine {
  readonly kind: 'removed' | 'added' | 'kept';
  readonly text: string;
}

/**
 * What a change of registrar.yaml would make of it. `lines`: those that change, with some around them; none: nothing would
 * change. `fingerprint`: another one where the file or the change is another.
 */
export type SettingsPlan = ReturnType<typeof planText>;

export function configText({ paths }: Pick<Workspace, 'paths'>): string {
  return readFileSync(join(paths.root, CONFIG_FILE), 'utf8');
}

/**
 * Works out a change of registrar.yaml; writes nothing. Throws OperatorError with all mistakes where Registrar couldn't use the new file,
 * and where a place is written in a way that only a person can change.
 */
export function planSettings(workspace: Pick<Workspace, 'paths' | 'env'>, edits: readonly YamlEdit[]) {
  const before = configText(workspace);
  const after = editYaml(before, edits);
  if (after !== null) return planText(workspace, before, after);
  const places = edits.map(({ path }) => formatPath(path)).join(', ');
  const message = `${places} can't be changed here, because of how registrar.yaml is written`;
  throw refusal(places, message, 'Change it in the file.');
}

/** The same for a whole new text. */
export function planText({ paths, env }: Pick<Workspace, 'paths' | 'env'>, before: string, after: string) {
  if (after !== before) parseConfig(after, paths.root, env ?? process.env, 'needed');
  const digest = createHash('sha256')
    .update(JSON.stringify([before, after]))
    .digest('hex');
  return {
    ...{ path: join(paths.root, CONFIG_FILE), before, after },
    lines: changedLines(before, after),
    fingerprint: digest.slice(0, 16),
  };
}

/**
 * Writes the new registrar.yaml, records who did it, and has services of this machine read it. Throws OperatorError where the file was
 * changed since it was read: then it stays as it is.
 * @returns the hosts of other services, which have to be reloaded.
 */
export async function saveSettings(
  { ledger }: Pick<ActionContext, 'ledger'>,
  { path, before, after, lines }: Omit<SettingsPlan, 'fingerprint'>,
  who: Decider,
): Promise<readonly string[]> {
  const about = lines
    .flatMap(({ kind, text }) => (kind === 'kept' ? [] : `${SIGNS[kind]} ${text}`))
    .join('\n');
  await recordEvent(ledger, 'settings', who, { about }, () => replaceConfig(path, before, after));
  const { services } = await readState(ledger, ['services']);
  const others = services.filter(({ isAlive, pid }) => isAlive && pid !== process.pid);
  return [
    ...new Set(others.flatMap(({ host, pid }) => (host === hostname() && isSignalled(pid) ? [] : host))),
  ];
}

const SIGNS = { removed: '-', added: '+', kept: ' ' } as const;

function isSignalled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGHUP');
  } catch {
    return false;
  }
}

/** Replaces registrar.yaml where it still says what was read; who may read it stays as it was. */
export async function replaceConfig(path: string, before: string, after: string): Promise<void> {
  const real = realpathSync(path);
  if (readFileSync(real, 'utf8') === after) return;
  const { mode } = statSync(real);
  await replaceFile(real, async (temporary) => {
    await writeFile(temporary, after);
    if (readFileSync(real, 'utf8') === before) return;
    const message = 'registrar.yaml was changed since this page was made, so nothing was saved';
    throw refusal(path, message, 'Reload the page, then repeat the change.');
  });
  chmodSync(real, mode & 0o777);
}

const refusal = errorsOf('change registrar.yaml');

/** How many unchanged lines are shown around a change. */
const AROUND = 2;

/** The lines that differ, between the first and the last of them. No line shows how a password is kept. */
function changedLines(before: string, after: string): readonly ChangedLine[] {
  if (before === after) return [];
  const [old, now] = [before.split('\n'), after.split('\n')];
  let from = 0;
  while (old[from] === now[from] && from < old.length) from += 1;
  let to = 0;
  while (to < Math.min(old.length, now.length) - from && old.at(-1 - to) === now.at(-1 - to)) to += 1;
  const of = (kind: ChangedLine['kind'], lines: readonly string[]) =>
    lines.map((text) => ({ kind, text: text.replace(/scrypt:[\w:-]+/g, 'scrypt:…') }));
  return [
    ...of('kept', old.slice(Math.max(0, from - AROUND), from)),
    ...of('removed', old.slice(from, old.length - to)),
    ...of('added', now.slice(from, now.length - to)),
    ...of('kept', old.slice(old.length - to, old.length - to + AROUND)),
  ];
}
