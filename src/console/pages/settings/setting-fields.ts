import { configText } from '../../../actions/setup/settings.js';
import type { YamlEdit } from '../../../config/yaml/edit-yaml.js';
import { readYaml } from '../../../config/yaml/yaml-document.js';
import { variable } from '../../../config/yaml/yaml-writer.js';
import { errorsOf, type OperatorError } from '../../../domain/operator-error.js';
import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../work/visit.js';
import {
  type Choice,
  checkboxField,
  choiceField,
  type FieldFacts,
  hiddenFields,
  linesField,
  textField,
} from '../parts/fields.js';

export type Place = YamlEdit['path'];

/** registrar.yaml as plain data, without defaults. */
export function readConfigFile(visit: Visit): unknown {
  return readYaml(configText(visit.actionContext())).value;
}

/** undefined: nothing there. @param file from `readConfigFile`. */
export function valueAt(file: unknown, path: Place): unknown {
  let value = file;
  for (const part of path) value = (value as Record<string | number, unknown> | null | undefined)?.[part];
  return value ?? undefined;
}

export function listAt(file: unknown, path: Place): readonly unknown[] {
  const list = valueAt(file, path);
  return Array.isArray(list) ? list : [];
}

/** The index of the entry with this name in a list. Throws OperatorError if there is none. */
export function entryIndex(file: unknown, list: Place, name: string): number {
  const index = listAt(file, list).findIndex((entry) => (entry as { name?: unknown })?.name === name);
  if (index < 0) throw settingNotFound(name);
  return index;
}

export function settingNotFound(name: string): OperatorError {
  const message = `registrar.yaml has no "${name}" here`;
  return errorsOf('find a setting')(name, message, 'Open Settings.', { reason: 'not-found' });
}

export interface SettingField extends Omit<FieldFacts, 'value' | 'choices'> {
  /** Below what the form is about; absent: the key of its name. */
  readonly path?: Place;
  /** Absent: any text. */
  readonly choices?: readonly Choice[];
  /** `lines`: a list of texts; `boxes`: a list of some choices; `variable`: an environment variable, of which the form has the name alone. */
  readonly kind?: 'lines' | 'boxes' | 'variable';
}

/** The field with what was entered, else with what registrar.yaml has at its place. */
export function settingField(
  { address: { query } }: Visit,
  file: unknown,
  { at, settings }: { readonly at: Place; readonly settings: string },
  { path, kind, choices, ...field }: SettingField,
): Html {
  const { name } = field;
  const now = valueAt(file, [...at, ...(path ?? [name])]);
  const setting = [settings, ...(path ?? [name])].join('.');
  const facts = { setting, ...field, value: query[name] ?? fieldText(now, kind) };
  // Browsers send no box that isn't ticked.
  if (kind === 'boxes') return html`${hiddenFields({ [name]: '' })}${checkboxField(facts, choices ?? [])}`;
  if (kind === 'lines') return linesField(facts);
  return choices === undefined ? textField(facts) : choiceField(facts, choices);
}

/** The edits for the entered text; none if the field wasn't sent or is unchanged. */
export function settingEdits(
  { address: { query } }: Visit,
  file: unknown,
  at: Place,
  { name, path: below = [name], kind, choices = [] }: SettingField,
): YamlEdit[] {
  const entered = query[name];
  if (entered === undefined) return [];
  const path = [...at, ...below];
  const now = valueAt(file, path);
  if (kind === 'lines') return listEdits(path, now, entered.split('\n'));
  const ticked = choices.map(({ value }) => value).filter((value) => entered.split(',').includes(value));
  if (kind === 'boxes') return listEdits(path, now, ticked);
  const text = entered.trim();
  if (text === fieldText(now, kind)) return [];
  if (text === '') return [{ path, value: undefined }];
  if (kind !== 'variable') return [{ path, value: text }];
  if (REFERENCE.test(`\${${text}}`)) return [{ path, value: variable(text) }];
  const message = 'what was entered is not the name of an environment variable';
  const hint = 'Enter a name such as OPERATIONS_WEBHOOK, never the value itself.';
  throw errorsOf('change registrar.yaml')(name, message, hint);
}

function fieldText(now: unknown, kind: SettingField['kind']): string {
  // A literal value may be a secret and is never shown.
  if (kind === 'variable') return REFERENCE.exec(String(now ?? ''))?.[1] ?? '';
  const separator = kind === 'boxes' ? ',' : '\n';
  return Array.isArray(now) ? now.map(unescaped).join(separator) : unescaped(now ?? '');
}

/** `$${` in the file means the two characters `${`. */
function unescaped(text: unknown): string {
  return String(text).replaceAll('$${', '${');
}

const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** The edits that turn the list into these texts. Unchanged entries are kept as is; new ones are appended. */
function listEdits(path: Place, now: unknown, texts: readonly string[]): YamlEdit[] {
  const old = Array.isArray(now) ? now : [];
  const added = texts.map((text) => text.trim()).filter((text) => text !== '');
  const removed: number[] = [];
  old.forEach((entry, index) => {
    const position = added.indexOf(unescaped(entry));
    if (position < 0) removed.unshift(index);
    else added.splice(position, 1);
  });
  return [
    ...added.map((value, index) => ({ path: [...path, old.length + index], value })),
    ...removed.map((index) => ({ path: [...path, index], value: undefined })),
  ];
}
