import { configText } from '../../../actions/setup/settings.js';
import type { YamlEdit } from '../../../config/yaml/edit-yaml.js';
import { readYaml } from '../../../config/yaml/yaml-document.js';
import { OperatorError } from '../../../domain/operator-error.js';
import type { Visit } from '../../visits/visit.js';
import type { ConsoleContext } from '../../work/console-context.js';

export type Place = YamlEdit['path'];

/** registrar.yaml as it is written: plain data. */
export function readWritten(context: ConsoleContext): unknown {
  return readYaml(configText(context.actionContext())).value;
}

/** What it has at a place; undefined: nothing. @param file as `readWritten` gives it. */
export function written(file: unknown, path: Place): unknown {
  let value = file;
  for (const part of path) value = (value as Record<string | number, unknown> | null | undefined)?.[part];
  return value ?? undefined;
}

export function writtenList(file: unknown, path: Place): readonly unknown[] {
  const list = written(file, path);
  return Array.isArray(list) ? list : [];
}

/** The number of the entry with this name in a list of registrar.yaml. Throws OperatorError where there is none. */
export function entryNamed(file: unknown, list: Place, name: string): number {
  const index = writtenList(file, list).findIndex((entry) => (entry as { name?: unknown })?.name === name);
  if (index >= 0) return index;
  throw new OperatorError({
    operation: 'find a setting',
    subject: name,
    message: `registrar.yaml has no ${list.at(-1) === 'sources' ? 'source' : 'channel'} "${name}"`,
    hint: 'Open Settings.',
    reason: 'not-found',
  });
}

export function shownIn({ address: { query } }: Visit, name: string, now: unknown): string {
  return query[name] ?? (Array.isArray(now) ? now.map(asShown).join('\n') : asShown(now ?? ''));
}

/** A text as its reader means it: `$${` is the two characters `${`. */
function asShown(written: unknown): string {
  return String(written).replaceAll('$${', '${');
}

/** The change of a setting that is a text; none where the field wasn't sent, or says what is written. */
export function textEdit({ address: { query } }: Visit, name: string, path: Place, now: unknown): YamlEdit[] {
  const text = query[name]?.trim();
  if (text === undefined || text === asShown(now ?? '')) return [];
  return [{ path, value: text === '' ? undefined : text }];
}

/** The same for a list of texts, one a line. */
export function linesEdit(
  { address: { query } }: Visit,
  name: string,
  path: Place,
  now: unknown,
): YamlEdit[] {
  const text = query[name];
  return text === undefined ? [] : listEdits(path, now, text.split('\n'));
}

/** The changes that make the list at a place have these texts. Entries that stay are not written again, and new ones come last. */
export function listEdits(path: Place, now: unknown, texts: readonly string[]): YamlEdit[] {
  const old = Array.isArray(now) ? now : [];
  const added = texts.map((text) => text.trim()).filter((text) => text !== '');
  const removed: number[] = [];
  old.forEach((entry, index) => {
    const kept = added.indexOf(asShown(entry));
    if (kept < 0) removed.unshift(index);
    else added.splice(kept, 1);
  });
  return [
    ...added.map((value, index) => ({ path: [...path, old.length + index], value })),
    ...removed.map((index) => ({ path: [...path, index], value: undefined })),
  ];
}
