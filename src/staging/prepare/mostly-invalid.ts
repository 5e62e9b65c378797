import type { SourceConfig } from '../../config/schema.js';
import { ISSUE_CODES, type Issue, type IssueCode, isOfOtherTable, issueOf } from '../../domain/issue.js';
import { countOf } from '../../domain/text/count-of.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';

/** Some rows of a drop, counted by their issues. */
export interface JudgedRows {
  /** Data rows: neither blank nor titles or totals, nor rows of another table in the file. */
  readonly data: number;
  readonly causes: readonly InvalidCause[];
}

/** An issue that several rows have: its code and column. A row may have several. */
interface InvalidCause {
  readonly code: IssueCode;
  readonly column: string | null;
  readonly rows: number;
  /** The line of the first of them. */
  readonly line: number;
}

/**
 * Counts rows by their issues. Rows of another table don't count, however many they are: the imported table may be
 * sound, and its records are delivered.
 */
export function judgedRows(rows: readonly PreparedRow[]): JudgedRows {
  const causes = new Map<string, InvalidCause>();
  let data = 0;
  for (const row of rows) {
    if (row.kind === 'blank' || row.kind === 'non-data') continue;
    if (row.kind === 'invalid' && isOfOtherTable(row.issues)) continue;
    data += 1;
    if (row.kind !== 'invalid') continue;
    const own = new Map(row.issues.map(({ code, column }) => [keyOf({ code, column }), { code, column }]));
    for (const cause of own.values()) addTo(causes, { ...cause, rows: 1, line: row.line });
  }
  return { data, causes: [...causes.values()] };
}

function addTo(causes: Map<string, InvalidCause>, cause: InvalidCause): void {
  const total = causes.get(keyOf(cause));
  causes.set(keyOf(cause), total ? { ...total, rows: total.rows + cause.rows } : cause);
}

function keyOf({ code, column }: Pick<InvalidCause, 'code' | 'column'>): string {
  return `${code} ${column ?? ''}`;
}

/**
 * Rows that are read before the drop is refused: a file that is sorted by a column has the rows without a value
 * first. Most files are shorter.
 */
const LOOKED_AT = 50_000;

/**
 * Detects a drop whose rows are nearly all invalid for the same cause, such as a wrong column or a wrong file. `add` gets all of its
 * rows in order. `refusal`: why it is refused by the rows so far; null: it isn't, or later rows (`isAll`: there are none) may change that.
 */
export function invalidWatch({ invalid: { most, from } }: Pick<SourceConfig, 'invalid'>) {
  const causes = new Map<string, InvalidCause>();
  let data = 0;
  const commonest = () => {
    const first = [...causes.values()].reduce<InvalidCause | null>(
      (largest, cause) => (largest !== null && largest.rows >= cause.rows ? largest : cause),
      null,
    );
    return first !== null && data >= from && first.rows * 100 > data * most ? first : null;
  };
  return {
    add: (judged: JudgedRows | undefined) => {
      data += judged?.data ?? 0;
      for (const cause of judged?.causes ?? []) addTo(causes, cause);
    },
    refusal: (isAll: boolean): Issue | null => {
      const cause = isAll || data >= LOOKED_AT ? commonest() : null;
      return cause === null ? null : mostlyInvalid(cause, data, isAll);
    },
  };
}

function mostlyInvalid({ code, column, rows, line }: InvalidCause, data: number, isAll: boolean): Issue {
  const where = column === null ? '' : ` in column "${column}"`;
  return issueOf(
    'mostly-invalid',
    column,
    `${rows} of ${isAll ? 'its' : 'its first'} ${countOf(data, 'row')} are invalid for the same cause, ${code}${where} (${ISSUE_CODES[code]}), the first on line ${line}; none of its rows was imported`,
    'correct the file or the settings of its source, preview it with registrar check, and drop it again; to import such files, with each of these rows reported as invalid, set invalid: { most: 100 } for the source in registrar.yaml and drop it again',
  );
}
