import { sql } from 'kysely';
import type { StandingRows } from '../../documents/decisions.js';
import type { SubmissionState } from '../../domain/delivery/intent.js';
import type { CreatedRecord } from '../../domain/delivery/judge.js';
import { mapped, submissionsToReplace } from '../../domain/delivery/mapping.js';
import {
  type Correction,
  currentLearner,
  type MappingProblem,
  mappingProblem,
} from '../../domain/learners/corrected-learners.js';
import type { State } from '../../domain/submission.js';
import { keyMaker, type PreparedRecord } from '../../operations/keys.js';
import { recordIdentifier } from '../../operations/prepared-record.js';
import { operationNamed } from '../../operations/registry.js';
import { paged } from '../leases/leases.js';
import { isAmong } from '../store/dialect.js';
import { pagesOf } from '../store/pages.js';
import { type Ledger, reading, writing } from '../store/query.js';
import { applyIntents, unsentStates } from '../submissions/apply-intents.js';
import { guardNow } from '../submissions/claims.js';
import { causeCode, heldCause } from '../submissions/columns.js';
import { fieldsIn } from '../submissions/record/kept-record.js';
import { createOf } from '../submissions/staging/make-submissions.js';
import { isOneOf } from '../submissions/subjects.js';
import type { RecordedDecision } from './decision-log.js';
import { corrections, suppressedLearners } from './known-learners.js';

/** What mapping a learner would do. Personal. */
export type Mapping = Awaited<ReturnType<typeof mappingOf>>;

/** Previews the changes of a corrected identifier, or returns why it is not possible. */
export async function planMapping(ledger: Ledger, correction: Correction): Promise<Mapping | MappingProblem> {
  return reading(ledger, async (ledger) => {
    const links = await corrections(ledger);
    const problem = mappingProblem(correction, links, await suppressedLearners(ledger));
    return problem ?? mappingOf(ledger, correction, links);
  });
}

type OpenMapping = Pick<RecordedDecision, 'decisionId' | 'selection'>;

/**
 * Replaces the undelivered submissions of a mapped learner's old identifier, one transaction for each step, and returns at the
 * end the states of their replacements, whichever process created them. A repeated call skips the steps that are done.
 */
export async function* mapLearner(
  ledger: Ledger,
  decision: OpenMapping,
): AsyncGenerator<MovedRows, readonly StandingRows[], undefined> {
  yield* paged(ledger, mapPages(ledger, decision));
  return replacementStates(ledger, decision.decisionId);
}

/** Rows per transaction. Each takes about thirty statements: with more rows, other writers would wait for seconds. */
const MAPPED_ROWS = 50;

/** One transaction for each page of rows; the last one ends the learner's holds. */
async function* mapPages(ledger: Ledger, { decisionId, selection }: OpenMapping): AsyncGenerator<MovedRows> {
  const links = await corrections(ledger);
  const correction = links.find(({ old, now }) => old.hash === selection.old && now.hash === selection.new);
  // The learners may have been forgotten meanwhile.
  if (correction === undefined) return;
  const { rows, corrections: all } = await mappingOf(ledger, correction, links);
  const keys = keyMaker(ledger.salt);
  const identified = rows.map((row) => {
    const target = { operation: operationNamed(row.operation), environment: row.environment };
    // The same record under the new identifier, with its keys.
    return { ...row, identified: recordIdentifier(target, keys, all)(row.record) };
  });
  for (const page of pagesOf(identified, MAPPED_ROWS)) yield await replaceRows(ledger, decisionId, page);
  await writing(ledger, async (ledger) => endHolds(ledger, correction.old.hash));
}

async function mappingOf(ledger: Ledger, correction: Correction, links: readonly Correction[]) {
  const { old } = correction;
  const others = links.filter((other) => other.old.hash !== old.hash);
  const now = currentLearner(correction, others);
  return {
    correction,
    /** The learner in the end: the new identifier may have been corrected itself. */
    now,
    corrections: [...others, correction],
    replacesEarlier: others.length < links.length,
    rows: await rowsToMap(ledger, old.hash, now.hash),
    states: await statesOfLearner(ledger, old.hash),
  };
}

/** Its record is personal. */
type LearnerRow = Awaited<ReturnType<typeof rowsToMap>>[number];

/** Counts the learner's published submissions by state; a state without any is absent. */
async function statesOfLearner(ledger: Ledger, learner: string): Promise<Partial<Record<State, number>>> {
  const counted = await ledger.db
    .selectFrom('submission_record as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.state', sql<number>`count(*)`.as('count')])
    .where('d.state', '=', sql.lit('published'))
    .where(ofLearner(learner))
    .groupBy('s.state')
    .execute();
  return Object.fromEntries(counted.map(({ state, count }) => [state, count]));
}

/**
 * Finds the learner's submissions that an earlier correction, to another learner than `now`, replaced, if the replacement is
 * unsent. The value is the submission that the correction created; null: the replacement belongs to another row.
 */
async function earlierReplacementsOf(ledger: Ledger, learner: string, now: string) {
  const ends = sql<{ id: number; earlierReplacement: number | null }>`(
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
      case when e.decision_id is not null and e.drop_id = o.drop_id and e.line = o.line then e.submission_id end as "earlierReplacement"
    from chain
    join submission o on o.submission_id = origin
    join submission e on e.submission_id = id
    where e.state in (${unsentStates}) and not ${isOneOf('e.learner_id', [now])}
  )`;
  const lastRows = await ledger.db
    .selectFrom(ends.as('ends'))
    .select(['ends.id', 'ends.earlierReplacement'])
    .execute();
  return new Map(lastRows.map(({ id, earlierReplacement }) => [id, earlierReplacement]));
}

/** Counts the submissions that a decision created, by present state, the largest count first. */
async function replacementStates(ledger: Ledger, decisionId: number): Promise<StandingRows[]> {
  return ledger.db
    .selectFrom('submission_record as s')
    .select(['s.state', heldCause.as('heldReason'), sql<number>`count(*)`.as('count')])
    .where('s.decision_id', '=', decisionId)
    .groupBy(['s.state', heldCause])
    .orderBy('count', 'desc')
    .orderBy('s.state')
    .execute();
}

/**
 * How many rows were replaced by new submissions (`made`) or existing ones (`linked`), and how many had changed
 * meanwhile (`left`).
 */
export type MovedRows = Awaited<ReturnType<typeof replaceRows>>;

/**
 * Replaces submissions with the same records about another learner, in one transaction. @returns how many by new submissions
 * (`made`) and by existing ones (`linked`), and how many had changed meanwhile (`left`).
 */
export async function replaceRows(
  ledger: Ledger,
  decisionId: number,
  rows: readonly (LearnerRow & { readonly identified: PreparedRecord })[],
) {
  return writing(ledger, async (ledger) => {
    const counts = { made: 0, linked: 0, left: 0 };
    for (const row of rows) {
      const { id, state } = await currentState(ledger, row.submissionId);
      const earlierReplacement =
        row.earlierReplacement === null ? null : await currentState(ledger, row.earlierReplacement);
      const places = submissionsToReplace({ id, chosenIn: row.state, state, earlierReplacement });
      if (places === null) {
        counts.left += 1;
        continue;
      }
      const read = { ...row.identified, kind: 'record', line: row.line } as const;
      const { drop: dropId, environment, sendAmendments } = row;
      const operation = operationNamed(row.operation);
      const target = { dropId, operation, environment, sendAmendments, decisionId };
      const [replacement] = await createOf(ledger, target, [read], row.submissionId);
      const { disposition, submissionId } = replacement as CreatedRecord;
      const isNew = disposition !== 'duplicate';
      const origin = { decisionId, notesRows: true } as const;
      await applyIntents(ledger, mapped(places, { id: submissionId, isNew }), origin);
      counts[isNew ? 'made' : 'linked'] += 1;
      if (isNew) await guardNow(ledger, submissionId, null);
    }
    return counts;
  });
}

export async function endHolds({ db }: Ledger, learner: string): Promise<void> {
  const isHeld = isOneOf('learner_id', [learner]);
  await db.deleteFrom('learner_hold').where(isHeld).execute();
}

/**
 * The learner's submissions that a submission about another learner, `now`, may replace, oldest first. `sendAmendments`: the
 * source sends amended rows without confirmation; `earlierReplacement`: of `earlierReplacementsOf`, to be replaced too.
 */
async function rowsToMap(ledger: Ledger, learner: string, now: string) {
  const earlierReplacements = await earlierReplacementsOf(ledger, learner, now);
  const isReplaced = isAmong('s.submission_id', [...earlierReplacements.keys()]);
  const rows = await ledger.db
    .selectFrom('submission_record as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.submission_id as submissionId', 's.state', causeCode.as('code'), 's.overrides'])
    .select(['s.drop_id as drop', 'd.file_name as file', 's.line', 's.environment', 's.operation'])
    .select(sql<string>`s.encoded_record`.as('record'))
    .where('d.state', '=', sql.lit('published'))
    .where(ofLearner(learner))
    .where(sql<boolean>`(s.state in (${unsentStates}) or ${isReplaced})`)
    .where('s.encoded_record', 'is not', null)
    .orderBy('s.submission_id')
    .execute();
  return rows.flatMap(({ record, overrides, ...row }) => {
    const fields = fieldsIn(record);
    if (fields === null) return [];
    const earlierReplacement = earlierReplacements.get(row.submissionId) ?? null;
    return [{ ...row, record: { fields }, sendAmendments: overrides === 'amended', earlierReplacement }];
  });
}

function ofLearner(learner: string) {
  return isOneOf('s.learner_id', [learner]);
}

async function currentState(ledger: Ledger, submissionId: number): Promise<SubmissionState> {
  return ledger.db
    .selectFrom('submission')
    .select(['submission_id as id', 'state'])
    .where('submission_id', '=', submissionId)
    .executeTakeFirstOrThrow();
}
