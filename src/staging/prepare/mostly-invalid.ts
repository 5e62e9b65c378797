import type { SourceConfig } from '../../config/schema.js';
import { ISSUE_CODES, type Issue, type IssueCode, isOfOtherTable } from '../../domain/issue.js';
import { countOf } from '../../domain/text/count-of.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';

/** Some rows of a drop, counted by what is wrong with them. */
export interface JudgedRows {
  /** Rows of data: neither blank nor titles, totals and the like, nor rows of another table in the file. */
  readonly data: number;
  readonly causes: readonly InvalidCause[];
}

/** One thing that is wrong with several rows: the code of an issue and its column. A row may have several. */
interface InvalidCause {
  readonly code: IssueCode;
  readonly column: string | null;
  readonly rows: number;
  /** The first of them. */
  readonly line: number;
}

/**
 * Counts rows by what is wrong with them. Rows of another table don't count, however many they are: the table that is read may be
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
  const known = causes.get(keyOf(cause));
  causes.set(keyOf(cause), known ? { ...known, rows: known.rows + cause.rows } : cause);
}

function keyOf({ code, column }: Pick<InvalidCause, 'code' | 'column'>): string {
  return `${code} ${column ?? ''}`;
}

/** Notices a drop nearly all of whose rows are invalid for the same cause: a wrong column, or no export at all. */
export interface InvalidWatch {
  /** Adds the rows that follow; all rows of a drop are added in order, from the first. */
  add(judged: JudgedRows | undefined): void;
  /**
   * Why the rows so far have the drop set aside; null where they don't, or where those that follow may be better. `isAll`: no
   * row follows.
   */
  refusal(isAll: boolean): Issue | null;
}

/**
 * Rows that are looked at before the verdict: a file sorted by a column that some rows lack has those rows first. Most
 * files are shorter.
 */
const LOOKED_AT = 50_000;

/** The watch over one drop, by what its source says in `invalid`. */
export function invalidWatch({ invalid: { most, from } }: Pick<SourceConfig, 'invalid'>): InvalidWatch {
  const causes = new Map<string, InvalidCause>();
  let data = 0;
  const commonest = () => {
    const first = [...causes.values()].reduce<InvalidCause | null>(
      (found, cause) => (found !== null && found.rows >= cause.rows ? found : cause),
      null,
    );
    return first !== null && data >= from && first.rows * 100 > data * most ? first : null;
  };
  return {
    add: (judged) => {
      data += judged?.data ?? 0;
      for (const cause of judged?.causes ?? []) addTo(causes, cause);
    },
    refusal: (isAll) => {
      const cause = isAll || data >= LOOKED_AT ? commonest() : null;
      return cause === null ? null : mostlyInvalid(cause, data, isAll);
    },
  };
}

function mostlyInvalid({ code, column, rows, line }: InvalidCause, data: number, isAll: boolean): Issue {
  const where = column === null ? '' : ` in column "${column}"`;
  return {
    code: 'mostly-invalid',
    column,
    value: null,
    message: `${rows} of ${isAll ? 'its' : 'its first'} ${countOf(data, 'row')} are invalid for the same cause, ${code}${where} (${ISSUE_CODES[code]}), the first on line ${line}; no row of it was taken in`,
    remedy:
      'correct the file or the settings of its source, see with registrar check how it would come in, and drop it again; where such a file is right, so that its other rows count and each of these is reported, set invalid: { most: 100 } for the source in registrar.yaml and drop it again',
  };
}
