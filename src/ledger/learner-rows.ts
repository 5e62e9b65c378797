import { type RawBuilder, sql } from 'kysely';
import type { HeldCause } from '../domain/cause.js';
import type { NormalisedRecord } from '../domain/record.js';
import type { State } from '../domain/submission.js';
import { operationNamed } from '../operations/registry.js';
import { causeCode, heldCause } from './attention.js';
import { guardNow } from './claims.js';
import type { Identified } from './corrections.js';
import { LEARNER_DIGITS } from './keys.js';
import { all, beginsLike, bytes, change, first, type Ledger, query, writing } from './query.js';
import type { IdentifiedRecord } from './record-identifier.js';
import { fieldsIn } from './record-text.js';
import type { SelectedSubmission } from './selection.js';
import { type StagingTarget, type SubmissionMaker, submissionMaker } from './staging.js';
import { move } from './transitions.js';

/** States in which another identifier may take a submission's place: what was sent or decided stays. */
const MOVABLE = ['waiting', 'held', 'rejected', 'failed', 'in-doubt'] as const satisfies readonly State[];

/** One submission that another identifier may take the place of. Its record is personal. */
export interface LearnerRow extends SelectedSubmission {
  readonly operation: string;
  readonly record: NormalisedRecord;
  /** True where the source sends corrections without asking. */
  readonly sendAmendments: boolean;
  /** What an earlier correction made of it, which is to be replaced as well; null: nothing, or a row of its own. */
  readonly standIn: number | null;
}

/** The learner of this hash, by one of the rows that name it; null: there is none, or its rows were erased. Personal. */
export function learnerOfHash(ledger: Ledger, learner: string): Identified | null {
  const row = first(
    ledger,
    query
      .selectFrom('submission as s')
      .select(['s.operation', sql<string>`s.record`.as('record')])
      .where(ofLearner(learner))
      .where('s.record', 'is not', null)
      .limit(1),
  );
  if (!row) return null;
  const fields = fieldsIn(row.record);
  const found = fields && operationNamed(row.operation).learner({ fields });
  return found === null ? null : { ...found, hash: learner };
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
  // The states not by the index of all that needs attention.
  const movable = sql`+s.state in (${sql.join(MOVABLE.map((state) => sql.lit(state)))})`;
  return rowsWhere(ledger, sql<boolean>`${ofLearner(learner)} and ${movable}`);
}

/**
 * The learner's submissions that an earlier correction, to another learner than `now`, has replaced, and whose record has
 * not been delivered by that either.
 */
export function remappableRows(ledger: Ledger, learner: string, now: string): LearnerRow[] {
  const movable = sql.join(MOVABLE.map((state) => sql.lit(state)));
  const ends = sql<{ id: number; standIn: number | null }>`(
    with recursive chain(origin, id) as (
      select s.submission_id, s.successor_id from submission s
      where ${ofLearner(learner)} and s.state = 'replaced' and exists (
        select 1 from transition t join decision d using (decision_id)
        where t.submission_id = s.submission_id and d.kind = 'map')
      union
      select origin, n.successor_id from chain join submission n on n.submission_id = id
      where n.state = 'replaced'
    )
    select o.submission_id as id,
      iif(e.decision_id is not null and e.drop_id = o.drop_id and e.line = o.line, e.submission_id, null) as standIn
    from chain
    join submission o on o.submission_id = origin
    join submission e on e.submission_id = id
    where e.state in (${movable}) and e.learner <> ${bytes(now)}
  )`;
  const found = all(ledger, query.selectFrom(ends.as('ends')).select(['ends.id', 'ends.standIn']));
  const standIns = new Map(found.map(({ id, standIn }) => [id, standIn]));
  const ids = JSON.stringify([...standIns.keys()]);
  const rows = rowsWhere(ledger, sql<boolean>`s.submission_id in (select value from json_each(${ids}))`);
  return rows.map((row) => ({ ...row, standIn: standIns.get(row.submissionId) ?? null }));
}

/** Where new submissions stand, and how many there: `heldReason` is null where they are not held. */
export interface StandingRows {
  readonly state: State;
  readonly heldReason: HeldCause | null;
  readonly count: number;
}

/** What became of the submissions that a decision has made, by now: most first. */
export function standingOf(ledger: Ledger, decisionId: number): StandingRows[] {
  return all(
    ledger,
    query
      .selectFrom('submission as s')
      .select(['s.state', heldCause.as('heldReason'), sql<number>`count(*)`.as('count')])
      .where('s.decision_id', '=', decisionId)
      .groupBy(['s.state', heldCause])
      .orderBy('count', 'desc')
      .orderBy('s.state'),
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
      const places = placesToTake(ledger, row);
      if (places === null) {
        counts.left += 1;
        continue;
      }
      const { disposition, submissionId } = makerFor(
        ledger,
        row,
        decisionId,
      )(preparedRow(row), row.submissionId);
      for (const place of places) {
        change(
          ledger,
          query
            .insertInto('decision_submission')
            .values({ decision_id: decisionId, submission_id: place.id }),
        );
        move(ledger, place, 'replaced', { successorId: submissionId, cause: 'mapped', decisionId });
      }
      if (disposition === 'duplicate') {
        counts.linked += 1;
        continue;
      }
      counts.made += 1;
      // Sent once and never answered: sending it again may be a second write, and is counted as one.
      if (places.some(({ state }) => state === 'in-doubt')) countRepeat(ledger, submissionId);
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
        causeCode.as('code'),
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
      .where('s.record', 'is not', null)
      .orderBy('s.submission_id'),
  );
  return rows.flatMap(({ record, sendAmendments, ...row }) => {
    const fields = fieldsIn(record);
    if (fields === null) return [];
    return [{ ...row, record: { fields }, sendAmendments: sendAmendments === 1, standIn: null }];
  });
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

/** What is to be replaced, as it stands now: the row and what stands in for it. null: it has moved on meanwhile. */
function placesToTake(ledger: Ledger, { submissionId, state: before, standIn }: LearnerRow) {
  const state = stateOf(ledger, submissionId);
  const isStill = before === 'replaced' ? state === 'replaced' : isMovable(state);
  if (state === null || !isStill) return null;
  const row = { id: submissionId, state };
  if (standIn === null) return [row];
  const standInState = stateOf(ledger, standIn);
  return isMovable(standInState) ? [row, { id: standIn, state: standInState }] : null;
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
