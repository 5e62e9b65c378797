import { OperatorError } from '../../../domain/operator-error.js';
import { type RowName, readSelection, type Selectable, type Selection } from '../../../domain/selection.js';

/** What an address says of a selection: the values of its query by name. */
export type SelectionQuery = Readonly<Record<string, string>>;

/** The names under which an address holds a selection. */
const SELECTION_NAMES = [
  'all',
  'states',
  'cause',
  'learner',
  'content',
  'file',
  'run',
  'since',
  'until',
  'rows',
] as const;

/**
 * The selection as an address holds it; lists have commas between their parts. What doesn't narrow is left out, and so are the states
 * that are meant where none is named.
 */
export function selectionQuery(selection: Selection, { usual }: Pick<Selectable, 'usual'>): SelectionQuery {
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

/**
 * The selection that an address holds; other values in it are no part of that. null: it says of nothing which rows are meant. Throws
 * OperatorError for a value that can't be read, and for states that the action doesn't take.
 */
export function selectionIn(query: SelectionQuery, selectable: Selectable): Selection | null {
  const { all = '', states = '', run = '', rows = '', ...texts } = given(query);
  const value = {
    ...texts,
    ...(all === 'true' ? { all: true } : {}),
    ...(states === '' ? {} : { states: states.split(',') }),
    ...(run === '' ? {} : { run: /^\d{1,12}$/.test(run) ? Number(run) : run }),
    ...(rows === '' ? {} : { rows: rows.split(',').map(fromList) }),
  };
  if (Object.keys(value).length === 0) return null;
  const read = readSelection(value, selectable);
  if ('selection' in read) return read.selection;
  const [{ field, problem, hint } = { field: null, problem: '', hint: '' }] = read.mistakes;
  throw new OperatorError({
    operation: 'choose rows',
    subject: field ?? 'the address',
    message: `${field === null ? 'the address' : field} ${problem}`,
    hint,
    exit: 'usage',
  });
}

/** A row as an address names it: `17`, or `3:217` for a line of a drop. */
function rowText(row: RowName): string {
  return typeof row === 'number' ? String(row) : `${row.file}:${row.line}`;
}

function given(query: SelectionQuery): Readonly<Record<string, string>> {
  const names: readonly string[] = SELECTION_NAMES;
  return Object.fromEntries(
    Object.entries(query).filter(([name, value]) => names.includes(name) && value.trim() !== ''),
  );
}

/** A file's name may have a comma. */
function inList(text: string): string {
  return text.replaceAll('%', '%25').replaceAll(',', '%2C');
}

function fromList(text: string): string {
  return text.replaceAll('%2C', ',').replaceAll('%25', '%');
}
