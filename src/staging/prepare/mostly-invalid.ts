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
 * Detects a drop whose rows are nearly all invalid for the same cause, such as a wrong column or a wrong file. `add` gets
 * all of its rows. `refusal`: why it is refused because of them; null: it isn't.
 */
export function invalidWatch({ invalid: { most, from } }: Pick<SourceConfig, 'invalid'>) {
  const causes = new Map<string, InvalidCause>();
  let data = 0;
  return {
    add: (judged: JudgedRows | undefined) => {
      data += judged?.data ?? 0;
      for (const cause of judged?.causes ?? []) addTo(causes, cause);
    },
    refusal: (): Issue | null => {
      const [commonest] = [...causes.values()].sort((one, other) => other.rows - one.rows);
      if (commonest === undefined || data < from || commonest.rows * 100 <= data * most) return null;
      return mostlyInvalid(commonest, data);
    },
  };
}

function mostlyInvalid({ code, column, rows, line }: InvalidCause, data: number): Issue {
  const where = column === null ? '' : ` in column "${column}"`;
  return issueOf(
    'mostly-invalid',
    column,
    `${rows} of its ${countOf(data, 'row')} are invalid for the same cause, ${code}${where} (${ISSUE_CODES[code]}), the first on line ${line}; none of its rows was imported`,
    'correct the file or the settings of its source, preview it with registrar check, and drop it again; to import such files, with each of these rows reported as invalid, set invalid: { most: 100 } for the source in registrar.yaml and drop it again',
  );
}
