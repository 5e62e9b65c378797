import { type RawBuilder, sql } from 'kysely';
import type { NormalisedRecord } from '../domain/record.js';
import type { State } from '../domain/submission.js';
import { operationNamed } from '../operations/registry.js';
import { causeCode } from './attention.js';
import { guardNow } from './claims.js';
import type { Selected } from './decisions.js';
import { LEARNER_DIGITS } from './keys.js';
import { all, beginsLike, bytes, change, first, type Ledger, query, writing } from './query.js';
import type { IdentifiedRecord } from './record-identifier.js';
import { type StagingTarget, type SubmissionMaker, submissionMaker } from './staging.js';
import { move } from './transitions.js';

/** States in which another identifier may take a submission's place: what was sent or decided stays. */
const MOVABLE = ['waiting', 'held', 'rejected', 'failed', 'in-doubt'] as const satisfies readonly State[];

/** One submission that another identifier may take the place of. Its record is personal. */
export interface LearnerRow extends Selected {
  readonly dropId: number;
  readonly environment: string;
  readonly operation: string;
  readonly record: NormalisedRecord;
  /** True where the source sends corrections without asking. */
  readonly sendAmendments: boolean;
}

/** How many published submissions the learner has in each state; a state that none is in is left out. */
export function statesOfLearner(ledger: Ledger, learner: string): Partial<Record<State, number>> {
  const counted = all(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select(['s.state', sql<number>`count(*)`.as('count')])
      .where('d.state', '=', 'published')
      .where(ofLearner(learner))
      .groupBy('s.state'),
  );
  return Object.fromEntries(counted.map(({ state, count }) => [state, count]));
}

/** The learner's submissions that another identifier may take the place of, oldest first. */
export function movableRows(ledger: Ledger, learner: string): LearnerRow[] {
  return rowsWhere(ledger, ofLearner(learner));
}

/**
 * The submissions that earlier decisions to map the learner made of the learner's rows, and that another identifier may
 * still take the place of.
 */
export function movableSuccessors(ledger: Ledger, learner: string): LearnerRow[] {
  return rowsWhere(
    ledger,
    sql<boolean>`s.submission_id in (
      with recursive successor(id) as (
        select s.successor_id from submission s where ${ofLearner(learner)} and s.state = 'replaced'
        union
        select n.successor_id from successor join submission n on n.submission_id = id where n.state = 'replaced'
      )
      select id from successor join submission n on n.submission_id = id
      join decision using (decision_id) where kind = 'map')`,
  );
}

/** What became of rows whose place another identifier took. */
export interface MovedRows {
  /** Rows that were replaced: `made` by new submissions, `linked` by ones that were there. */
  readonly made: number;
  readonly linked: number;
  /** Rows that had moved on meanwhile. */
  readonly left: number;
}

/** Replaces submissions by the same records about another learner, which this decision makes; in one transaction. */
export function replaceRows(
  ledger: Ledger,
  decisionId: number,
  rows: readonly (LearnerRow & { readonly identified: IdentifiedRecord })[],
): MovedRows {
  return writing(ledger, () => {
    const counts = { made: 0, linked: 0, left: 0 };
    for (const row of rows) {
      const id = row.submissionId;
      const state = stateOf(ledger, id);
      if (!isMovable(state)) {
        counts.left += 1;
        continue;
      }
      const { disposition, submissionId } = makerFor(ledger, row, decisionId)(preparedRow(row), id);
      change(
        ledger,
        query.insertInto('decision_submission').values({ decision_id: decisionId, submission_id: id }),
      );
      move(ledger, { id, state }, 'replaced', {
        successorId: submissionId,
        reason: 'learner mapped',
        decisionId,
      });
      if (disposition === 'duplicate') {
        counts.linked += 1;
        continue;
      }
      counts.made += 1;
      // Sent once and never answered: sending it again may be a second write, and is counted as one.
      if (state === 'in-doubt') countRepeat(ledger, submissionId);
      guardNow(ledger, row.environment, submissionId, null);
    }
    return counts;
  });
}

/** Forgets, in every environment, that the platform refused the learner. */
export function endHolds(ledger: Ledger, learner: string): void {
  change(ledger, query.deleteFrom('learner_hold').where('learner', '=', bytes(learner)));
}

function rowsWhere(ledger: Ledger, condition: RawBuilder<boolean>): LearnerRow[] {
  const rows = all(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select([
        's.submission_id as submissionId',
        's.state',
        sql<string>`${causeCode}`.as('code'),
        'd.file_name as file',
        's.line',
        's.drop_id as dropId',
        's.environment',
        's.operation',
        sql<string>`s.record`.as('record'),
        sql<number>`s.pass is 'amended'`.as('sendAmendments'),
      ])
      .where('d.state', '=', 'published')
      .where(condition)
      // Not by the index of all that needs attention.
      .where(sql<boolean>`+s.state in (${sql.join(MOVABLE.map((state) => sql.lit(state)))})`)
      .where('s.record', 'is not', null)
      .orderBy('s.submission_id'),
  );
  return rows.map(({ record, sendAmendments, ...row }) => ({
    ...row,
    record: { fields: JSON.parse(record) as NormalisedRecord['fields'] },
    sendAmendments: sendAmendments === 1,
  }));
}

/** Condition on `submission as s`. */
function ofLearner(learner: string) {
  return sql<boolean>`(${beginsLike('s.key', bytes(learner), LEARNER_DIGITS)} and s.learner = ${bytes(learner)})`;
}

function makerFor(ledger: Ledger, row: LearnerRow, decisionId: number): SubmissionMaker {
  const { dropId, environment, sendAmendments } = row;
  const operation = operationNamed(row.operation);
  const target: StagingTarget = { dropId, operation, environment, sendAmendments, decisionId };
  return submissionMaker(ledger, target);
}

function preparedRow({
  line,
  operation,
  identified,
}: LearnerRow & { readonly identified: IdentifiedRecord }) {
  const { record, keys, formers } = identified;
  const occurredAt = operationNamed(operation).occurrence(record);
  return { kind: 'record' as const, line, record: JSON.stringify(record.fields), keys, occurredAt, formers };
}

function stateOf(ledger: Ledger, submissionId: number): State | null {
  const found = first(
    ledger,
    query.selectFrom('submission').select('state').where('submission_id', '=', submissionId),
  );
  return found?.state ?? null;
}

function isMovable(state: State | null): state is (typeof MOVABLE)[number] {
  return MOVABLE.some((movable) => movable === state);
}

function countRepeat(ledger: Ledger, submissionId: number): void {
  change(
    ledger,
    query
      .updateTable('submission')
      .set({ repeats: sql<number>`repeats + 1` })
      .where('submission_id', '=', submissionId),
  );
}
