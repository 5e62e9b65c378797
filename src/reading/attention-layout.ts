import { ATTENTION_COLUMNS } from '../domain/files/attention-columns.js';
import { GUIDE_COLUMNS, OURS } from '../domain/files/guided-workbook.js';
import type { Issue } from '../domain/issue.js';
import { unescapeFormula } from '../domain/text/formula-text.js';
import { type Refused, refused } from './refused.js';

/** Where the columns of a corrected attention file are, by their index in the file. */
export interface AttentionLayout {
  readonly kind: 'layout';
  /** For each original column, in the original's order. */
  readonly originals: readonly number[];
  readonly row: number;
  readonly drop: number;
  /** From this index on cells have no header: they are the cells that the original row had beyond its header. */
  readonly extrasFrom: number;
}

/**
 * Finds the original columns and ours in a corrected attention file. The columns may stand in another order, and the
 * columns of ours that nothing is read from may be missing. Columns of the same name keep their order. Returns an issue
 * with the whole difference where an original column is missing or renamed, or where a column is neither original nor ours.
 */
export function attentionLayout(
  columns: readonly string[],
  headerLine: number,
  header: readonly string[],
  file: string,
): AttentionLayout | Refused {
  const left = new Map(columns.map((name, index) => [index, name]));
  // Registrar writes its own columns last: of two columns with the same name the first is the original one.
  const originals = header.map((wanted) => {
    const index = [...left].find(([, name]) => isSame(name, wanted))?.[0] ?? -1;
    left.delete(index);
    return index;
  });
  const ours = new Map<string, number>();
  for (const [index, name] of left) {
    if (!isOurs(name.trim()) || ours.has(name.trim())) continue;
    ours.set(name.trim(), index);
    left.delete(index);
  }
  const missing = header.filter((_, position) => originals[position] === -1);
  const added = [...left.values()];
  const row = ours.get('_row');
  const drop = ours.get('_drop');
  if (missing.length > 0 || added.length > 0 || row === undefined || drop === undefined) {
    return refused(changedColumns(headerLine, file, missing, added));
  }
  return { kind: 'layout', originals, row, drop, extrasFrom: columns.length };
}

function isOurs(name: string): boolean {
  if (ATTENTION_COLUMNS.some((own) => own === name)) return true;
  return GUIDE_COLUMNS.some((own) => own === name || `${own}${OURS}` === name);
}

function isSame(name: string, wanted: string): boolean {
  const [is, should] = [name, wanted].map((text) => text.normalize('NFC').replace(/\s+/g, ' ').trim());
  return is === should || unescapeFormula(is ?? '') === should;
}

function changedColumns(
  line: number,
  file: string,
  missing: readonly string[],
  added: readonly string[],
): Issue {
  const list = (names: readonly string[]) =>
    names.map((name) => (name.trim() === '' ? 'one without a name' : `"${name}"`)).join(', ');
  const differences = [
    ...(missing.length > 0 ? [`missing: ${list(missing)}`] : []),
    ...(added.length > 0 ? [`not in the original: ${list(added)}`] : []),
  ];
  return {
    code: 'attention-columns-changed',
    column: missing[0] ?? added[0] ?? null,
    value: null,
    message: `the header in line ${line} is not that of ${file} with the columns of an attention file: ${differences.join('; ')}`,
    remedy:
      'give the columns the names they had, and take out added ones; correct cells, not headers. Then put the file into the inbox again',
  };
}
