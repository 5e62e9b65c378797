import { sql } from 'kysely';
import type { HeldCause } from '../../../domain/cause.js';
import type { Issue } from '../../../domain/issue.js';
import { DISPOSITIONS, type Disposition } from '../../../domain/row.js';
import { bytes, type Ledger, prepared, query } from '../../store/query.js';
import { knownNumbers, numberOfContent, numberOfLearner } from '../subjects.js';
import type { PreparedRow, StagedRow, StagingTarget } from './staged-rows.js';

export const INSERT_PART = query
  .insertInto('row_part')
  .values({ drop_id: 0, line: 0, part: 0, submission_id: 0 })
  .compile().sql;

/**
 * The hot path: one prepared statement, one row a call (multi-row inserts are slower in better-sqlite3). Values that all rows
 * have in common are written into its text, because each bound text costs as much as a column. The function returns null when the
 * revision is taken.
 */
export function submissionInserter(
  ledger: Ledger,
  target: StagingTarget,
  overrides: 'amended' | null,
  heldCause: HeldCause | null,
) {
  const statement = prepared(ledger, insertText(heldCause, overrides));
  const { dropId, operation, numbers = knownNumbers() } = target;
  const decisionId = target.decisionId ?? null;
  const environmentId = environmentNamed(ledger, target.environment);
  const operationId = operationNamed(ledger, operation.name);
  return ({ line, keys, learner, content, text }: PreparedRow & { kind: 'record' }, revision: number) => {
    const { changes, lastInsertRowid } = statement.run(
      dropId,
      line,
      numberOfLearner(ledger, numbers, keys.learner, learner),
      numberOfContent(ledger, numbers, keys.content, content),
      environmentId,
      operationId,
      keys.occurredAt ?? '',
      revision,
      bytes(keys.digest),
      text,
      decisionId,
    );
    return changes === 1 ? Number(lastInsertRowid) : null;
  };
}

/** Built once for the values that all rows have in common: building it takes as long as inserting several rows. */
function insertText(heldCause: HeldCause | null, overrides: 'amended' | null): string {
  const name = JSON.stringify([heldCause, overrides]);
  const known = INSERTS.get(name);
  if (known !== undefined) return known;
  const { sql: text } = query
    .insertInto('submission')
    .values({
      state: sql.lit(heldCause === null ? 'waiting' : 'held'),
      cause: sql.lit(heldCause),
      overrides: sql.lit(overrides),
      drop_id: 0,
      line: 0,
      learner_id: 0,
      content_id: 0,
      environment_id: 0,
      operation_id: 0,
      occurred_at: '',
      revision: 1,
      digest: Buffer.alloc(0),
      record: '',
      decision_id: 0,
    })
    .onConflict((conflict) => conflict.columns(KEY).doNothing())
    .compile();
  INSERTS.set(name, text);
  return text;
}

const INSERTS = new Map<string, string>();

/** The columns of a key with its revision. */
const KEY = [
  'learner_id',
  'content_id',
  'environment_id',
  'operation_id',
  'occurred_at',
  'revision',
] as const;

/** The number of an environment; a new environment gets its number here. */
export function environmentNamed(ledger: Ledger, name: string): number {
  prepared(ledger, ADD_ENVIRONMENT).run(name);
  return prepared(ledger, ENVIRONMENT).pluck().get(name) as number;
}

/** The number of an operation; a new one gets its number here. */
function operationNamed(ledger: Ledger, name: string): number {
  prepared(ledger, ADD_OPERATION).run(name);
  return prepared(ledger, OPERATION).pluck().get(name) as number;
}

const ADD_OPERATION = 'insert into operation (name) values (?) on conflict do nothing';
const OPERATION = 'select operation_id from operation where name = ?';

const ADD_ENVIRONMENT = 'insert into environment (name) values (?) on conflict do nothing';
const ENVIRONMENT = 'select environment_id from environment where name = ?';

/** @param submissionId the submission that the row became or repeats; null: neither. */
export function insertRow(
  ledger: Ledger,
  dropId: number,
  { row, cells, strayQuotes }: StagedRow,
  disposition: Disposition,
  submissionId: number | null,
): void {
  const lines = row.kind === 'blank' ? (row.lines ?? 1) : 1;
  prepared(ledger, INSERT_ROW[disposition]).run(dropId, row.line, submissionId, lines, cells, strayQuotes);
}

/** One for each disposition: see `submissionInserter`. */
const INSERT_ROW = Object.fromEntries(
  DISPOSITIONS.map((disposition) => [
    disposition,
    query
      .insertInto('row')
      .values({
        disposition: sql.lit(disposition),
        drop_id: 0,
        line: 0,
        submission_id: 0,
        lines: 1,
        cells: '',
        stray_quotes: '',
      })
      .compile().sql,
  ]),
) as Record<Disposition, string>;

export function insertIssues(
  ledger: Ledger,
  dropId: number,
  line: number,
  issues: readonly Issue[],
  behind = 0,
): void {
  issues.forEach((issue, ordinal) => {
    prepared(ledger, INSERT_ISSUE).run(
      dropId,
      line,
      behind + ordinal,
      issue.code,
      issue.column,
      issue.value,
      issue.message,
      issue.remedy,
    );
  });
}

const INSERT_ISSUE = query
  .insertInto('issue')
  .values({
    drop_id: 0,
    line: 0,
    ordinal: 0,
    code: 'value-missing',
    column_name: '',
    value: '',
    message: '',
    remedy: '',
  })
  .compile().sql;
