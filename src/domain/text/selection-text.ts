import { OperatorError } from '../operator-error.js';
import {
  type RowName,
  readSelection,
  SELECTION_FIELDS,
  type Selectable,
  type Selection,
  type SelectionRead,
} from '../selection.js';

/** By the names of its members, among others. A list is one text with commas, or several texts. */
export type SelectionTexts = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** Omits conditions that don't narrow the selection, and default states. */
export function selectionQuery(
  selection: Selection,
  { usual }: Pick<Selectable, 'usual'>,
): Readonly<Record<string, string>> {
  const { states, rows, run, ...texts } = selection;
  const isUsual = states.length === usual.length && usual.every((state) => states.includes(state));
  const named: Record<string, string | null> = {
    states: isUsual ? null : states.join(','),
    ...texts,
    run: run === null ? null : String(run),
    rows: rows === null ? null : rows.map(rowText).map(inList).join(','),
  };
  const query = Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  return Object.keys(query).length === 0 ? { all: 'true' } : query;
}

/** null: the texts name no rows. Throws OperatorError for the first mistake. @param nameOf for members. */
export function selectionIn(
  texts: SelectionTexts,
  selectable: Selectable,
  nameOf: (member: string) => string = (member) => member,
): Selection | null {
  const read = selectionInTexts(texts, selectable);
  if (read === null) return null;
  if ('selection' in read) return read.selection;
  const [{ field, problem, hint } = { field: null, problem: '', hint: '' }] = read.mistakes;
  const subject = nameOf(field ?? 'rows');
  const message = `${subject} ${problem}`;
  throw new OperatorError({ operation: 'choose rows', subject, message, hint, reason: 'invalid' });
}

export function selectionInTexts(texts: SelectionTexts, selectable: Selectable): SelectionRead | null {
  const value = Object.fromEntries(
    SELECTION_FIELDS.map((field) => [field, parsed(field, texts[field])]).filter(
      ([, one]) => one !== undefined,
    ),
  );
  return Object.keys(value).length === 0 ? null : readSelection(value, selectable);
}

function parsed(member: string, text: SelectionTexts[string]): unknown {
  if (typeof text !== 'string') return text;
  if (text.trim() === '') return undefined;
  if (member === 'all' && text === 'true') return true;
  if (member === 'all' && text === 'false') return undefined;
  if (member === 'states') return text.split(',').map((state) => state.trim());
  if (member === 'rows') return text.split(',').map(fromList);
  return member === 'run' && /^\d{1,12}$/.test(text) ? Number(text) : text;
}

function rowText(row: RowName): string {
  return typeof row === 'number' ? String(row) : `${row.file}:${row.line}`;
}

/** A file's name may have a comma. */
function inList(text: string): string {
  return text.replaceAll('%', '%25').replaceAll(',', '%2C');
}

function fromList(text: string): string {
  return text.replaceAll('%2C', ',').replaceAll('%25', '%');
}
