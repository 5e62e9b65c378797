import { isoMoment } from './clock.js';
import type { State } from './submission.js';
import { isObject } from './text/is-object.js';

/** `invalid`: a row that became no record. */
export type SelectableState = State | 'invalid';

/** Which rows an action is about. A null doesn't narrow. The ledger never reads all matching rows into memory. */
export interface Selection {
  readonly states: readonly SelectableState[];
  /** A submission's cause or an invalid row's issue code, as reports show it. */
  readonly cause: string | null;
  /** Personal: never kept. */
  readonly learner: string | null;
  readonly content: string | null;
  readonly file: string | null;
  readonly run: number | null;
  /** ISO times: drops imported at or after `since`, before `until`. */
  readonly since: string | null;
  readonly until: string | null;
  readonly rows: readonly RowName[] | null;
}

/** A reference to one row: a submission's number, or a line of a file. */
export type RowName = number | NamedLine;

/** A line of a file by its name or its drop's number; of a sheet as `book.xlsx#Sheet`. */
export interface NamedLine {
  readonly file: string;
  readonly line: number;
}

export interface Selectable {
  /** For a sentence: `rerun`, `dismissed`. */
  readonly done: string;
  readonly states: readonly SelectableState[];
  /** The states meant where the selection names none. */
  readonly usual: readonly SelectableState[];
  /** What to say about a state that the action doesn't take, beyond the list of states that it does. */
  readonly instead?: Partial<Readonly<Record<SelectableState, string>>>;
}

export interface SelectionMistake {
  /** null: the whole selection. */
  readonly field: string | null;
  /** A sentence that follows the field's name. */
  readonly problem: string;
  readonly hint: string;
}

export type SelectionRead =
  | { readonly selection: Selection }
  | { readonly mistakes: readonly SelectionMistake[] };

/** `{"states": ["rejected"]}`, `{"rows": [17, "a.csv:217"]}` or `{"all": true}`. Absent and null don't narrow. */
export function readSelection(
  value: unknown,
  { done, states, usual, instead = {} }: Selectable,
): SelectionRead {
  if (!isObject(value)) return { mistakes: [{ field: null, problem: "isn't an object", hint: FIELDS_HINT }] };
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  const mistakes: SelectionMistake[] = fields
    .filter(([name]) => !SELECTION_FIELDS.includes(name))
    .map(([field]) => ({ field, problem: 'is not a field of a selection', hint: FIELDS_HINT }));
  const read = Object.fromEntries(fields);
  const field = <T>(name: string, { reader, hint }: Reader<T>): T | null => {
    if (read[name] === undefined) return null;
    const parsed = reader(read[name]);
    if (parsed === null) {
      const list: readonly unknown[] = Array.isArray(read[name]) ? read[name] : [];
      const wrong = list.find((one) => reader([one]) === null) ?? read[name];
      mistakes.push({ field: name, problem: `${quoted(wrong)} can't be read`, hint });
    }
    return parsed;
  };
  const named = field('states', READERS.states);
  for (const state of named ?? []) {
    if (states.some((one) => one === state)) continue;
    const ownHint = new Map(Object.entries(instead)).get(state);
    const hint = ownHint ?? `States that can: ${states.join(', ')}.`;
    mistakes.push({ field: 'states', problem: `"${state}" can't be ${done}`, hint });
  }
  const selection: Selection = {
    cause: field('cause', A_TEXT),
    learner: field('learner', A_TEXT),
    content: field('content', A_TEXT),
    file: field('file', A_TEXT),
    run: field('run', READERS.run),
    since: field('since', A_TIME),
    until: field('until', A_TIME),
    rows: field('rows', READERS.rows),
    // A state that isn't one was a mistake.
    states: named === null ? usual : [...new Set(named as readonly SelectableState[])],
  };
  const { all } = read;
  if (all !== undefined && typeof all !== 'boolean')
    mistakes.push({ field: 'all', problem: `${quoted(all)} can't be read`, hint: 'It is true or false.' });
  if (fields.length === 0 || (fields.length === 1 && all === false))
    mistakes.push({ field: null, problem: 'selects no rows', hint: FIELDS_HINT });
  return mistakes.length > 0 ? { mistakes } : { selection };
}

interface Reader<T> {
  /** null: it can't be read. */
  readonly reader: (value: unknown) => T | null;
  readonly hint: string;
}

const A_TEXT = { reader: textOf, hint: 'It is a text.' };
const A_TIME: Reader<string> = {
  reader: (value) => (typeof value === 'string' ? isoMoment(value) : null),
  hint: 'Write a day as 2026-03-02 or a time as 2026-03-02T08:00:00Z.',
};

const READERS = {
  states: { reader: listOf(textOf), hint: 'It is a list of states.' },
  cause: A_TEXT,
  learner: A_TEXT,
  content: A_TEXT,
  file: A_TEXT,
  run: { reader: numberOf, hint: 'It is the number of a run.' },
  since: A_TIME,
  until: A_TIME,
  rows: {
    reader: listOf(rowNamed),
    hint: 'A row is named by the number of its submission (17), or by its place (completions.csv:217, or 3:217 with the number of the drop).',
  },
};

export const SELECTION_FIELDS: readonly string[] = ['all', ...Object.keys(READERS)];

const FIELDS_HINT = `Its fields are ${Object.keys(READERS).join(', ')}; {"all": true} means all that needs attention.`;

/** `17` and `#17` name a submission; `march.csv:217`, `3:217` (a drop) and `book.xlsx#Sheet:217` a line. */
export function rowNamed(value: unknown): RowName | null {
  const number = numberOf(value);
  if (number !== null || typeof value !== 'string') return number;
  const [, digits] = /^#?(\d{1,12})$/.exec(value) ?? [];
  if (digits !== undefined) return Number(digits);
  const [, file, line] = /^(.+):(\d{1,9})$/.exec(value) ?? [];
  return file === undefined ? null : { file, line: Number(line) };
}

/** "rejected and failed rows with the cause canary of run 3" */
export function describeSelection({ states, ...narrowed }: Selection): string {
  const { cause, learner, content, file, run, since, until, rows } = narrowed;
  return [
    // "held", "rejected and held", "rejected, failed and held".
    `${new Intl.ListFormat('en-GB').format(states)} rows`,
    ...(cause === null ? [] : [`with the cause ${cause}`]),
    ...(learner === null ? [] : ['of one learner']),
    ...(content === null ? [] : [`of content ${content}`]),
    ...(file === null ? [] : [`of ${file}`]),
    ...(run === null ? [] : [`of run ${run}`]),
    ...(since === null ? [] : [`imported from ${since} on`]),
    ...(until === null ? [] : [`imported before ${until}`]),
    ...(rows === null ? [] : ['named one by one']),
  ].join(' ');
}

/** What a decision keeps, without anything personal: the learner as hashes, a line by its drop's number. */
export function recordedSelection(
  selection: Selection,
  learners: readonly string[],
  places: readonly { readonly dropId: number; readonly line: number }[],
): Readonly<Record<string, unknown>> {
  const { learner, rows, ...unchanged } = selection;
  const named = [
    ...(rows ?? []).filter((row) => typeof row === 'number'),
    ...places.map(({ dropId, line }) => `${dropId}:${line}`),
  ];
  const fields = {
    ...unchanged,
    learners: learner === null ? null : learners,
    rows: rows === null ? null : named,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function numberOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** null for no list, an empty one, and one with something that can't be read. */
function listOf<T>(reader: (value: unknown) => T | null): (value: unknown) => readonly T[] | null {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return null;
    const read = value.map(reader);
    return read.some((one) => one === null) ? null : (read as T[]);
  };
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
}
