import { sql } from 'kysely';
import type { StandingRows } from '../../documents/decided.js';
import type { Standing } from '../../domain/delivery/intent.js';
import type { MadeRecord } from '../../domain/delivery/judge.js';
import { mapped, placesToTake } from '../../domain/delivery/mapped.js';
import type { State } from '../../domain/submission.js';
import type { PreparedRecord } from '../../operations/keys.js';
import { operationNamed } from '../../operations/registry.js';
import { isAmong } from '../store/dialect.js';
import { type Ledger, writing } from '../store/query.js';
import { carryOut } from '../submissions/carry-out.js';
import { guardNow } from '../submissions/claims.js';
import { causeCode, heldCause } from '../submissions/columns.js';
import { fieldsIn } from '../submissions/record/kept-record.js';
import { makeOf } from '../submissions/staging/make-submissions.js';
import { isOneOf } from '../submissions/subjects.js';
import { unsentStates } from '../submissions/transitions.js';

/** One submission that a submission under another identifier may replace. Its record is personal. */
export type LearnerRow = Awaited<ReturnType<typeof rowsToMap>>[number];

/** How many published submissions the learner has in each state; a state that none is in is left out. */
export async function statesOfLearner(
  ledger: Ledger,
  learner: string,
): Promise<Partial<Record<State, number>>> {
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
 * By the learner's submissions that an earlier correction, to another learner than `now`, has replaced, where the replacement was not
 * delivered either: the submission that the correction made from it, null where that has a row of its own.
 */
async function standInsOf(
  ledger: Ledger,
  learner: string,
  now: string,
): Promise<ReadonlyMap<number, number | null>> {
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
      case when e.decision_id is not null and e.drop_id = o.drop_id and e.line = o.line then e.submission_id end as "standIn"
    from chain
    join submission o on o.submission_id = origin
    join submission e on e.submission_id = id
    where e.state in (${unsentStates}) and not ${isOneOf('e.learner_id', [now])}
  )`;
  const found = await ledger.db.selectFrom(ends.as('ends')).select(['ends.id', 'ends.standIn']).execute();
  return new Map(found.map(({ id, standIn }) => [id, standIn]));
}

/** The present states of the submissions that a decision has made: most first. */
export async function standingOf(ledger: Ledger, decisionId: number): Promise<StandingRows[]> {
  return ledger.db
    .selectFrom('submission_record as s')
    .select(['s.state', heldCause.as('heldReason'), sql<number>`count(*)`.as('count')])
    .where('s.decision_id', '=', decisionId)
    .groupBy(['s.state', heldCause])
    .orderBy('count', 'desc')
    .orderBy('s.state')
    .execute();
}

/** How many rows were replaced by new submissions (`made`) or existing ones (`linked`), and how many had moved on meanwhile. */
export type MovedRows = Awaited<ReturnType<typeof replaceRows>>;

/** Replaces submissions by the same records about another learner, which this decision makes; in one transaction. */
export async function replaceRows(
  ledger: Ledger,
  decisionId: number,
  rows: readonly (LearnerRow & { readonly identified: PreparedRecord })[],
) {
  return writing(ledger, async (ledger) => {
    const counts = { made: 0, linked: 0, left: 0 };
    for (const row of rows) {
      const { id, state } = await standingNow(ledger, row.submissionId);
      const standIn = row.standIn === null ? null : await standingNow(ledger, row.standIn);
      const places = placesToTake({ id, chosenIn: row.state, state, standIn });
      if (places === null) {
        counts.left += 1;
        continue;
      }
      const read = { ...row.identified, kind: 'record', line: row.line } as const;
      const { drop: dropId, environment, sendAmendments } = row;
      const operation = operationNamed(row.operation);
      const target = { dropId, operation, environment, sendAmendments, decisionId };
      const [made] = await makeOf(ledger, target, [read], row.submissionId);
      const { disposition, submissionId } = made as MadeRecord;
      const isNew = disposition !== 'duplicate';
      const origin = { decisionId, notesRows: true } as const;
      await carryOut(ledger, mapped(places, { id: submissionId, isNew }), origin);
      counts[isNew ? 'made' : 'linked'] += 1;
      if (isNew) await guardNow(ledger, submissionId, null);
    }
    return counts;
  });
}

/** Ends the learner's holds in every environment. */
export async function endHolds(ledger: Ledger, learner: string): Promise<void> {
  await ledger.db
    .deleteFrom('learner_hold')
    .where(isOneOf('learner_id', [learner]))
    .execute();
}

/**
 * The learner's submissions that a submission about another learner, `now`, may replace, oldest first: unsent ones, and those that an
 * earlier correction has replaced. `sendAmendments`: the source sends corrections without asking; `standIn`: the submission that an
 * earlier correction made from it, which is to be replaced as well; null: there is none, or it has a row of its own.
 */
export async function rowsToMap(ledger: Ledger, learner: string, now: string) {
  const standIns = await standInsOf(ledger, learner, now);
  const isReplaced = isAmong('s.submission_id', [...standIns.keys()]);
  const rows = await ledger.db
    .selectFrom('submission_record as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select([
      's.submission_id as submissionId',
      's.state',
      causeCode.as('code'),
      'd.file_name as file',
      's.line',
      's.drop_id as drop',
      's.environment',
      's.operation',
      sql<string>`s.told`.as('record'),
      's.overrides',
    ])
    .where('d.state', '=', sql.lit('published'))
    .where(ofLearner(learner))
    .where(sql<boolean>`(s.state in (${unsentStates}) or ${isReplaced})`)
    .where('s.told', 'is not', null)
    .orderBy('s.submission_id')
    .execute();
  return rows.flatMap(({ record, overrides, ...row }) => {
    const fields = fieldsIn(record);
    if (fields === null) return [];
    const standIn = standIns.get(row.submissionId) ?? null;
    return [{ ...row, record: { fields }, sendAmendments: overrides === 'amended', standIn }];
  });
}

/** Condition on `submission as s`. */
function ofLearner(learner: string) {
  return isOneOf('s.learner_id', [learner]);
}

async function standingNow(ledger: Ledger, submissionId: number): Promise<Standing> {
  const found = await ledger.db
    .selectFrom('submission')
    .select(['submission_id as id', 'state'])
    .where('submission_id', '=', submissionId)
    .executeTakeFirst();
  if (found === undefined) throw new Error(`there is no submission ${submissionId}`);
  return found;
}
