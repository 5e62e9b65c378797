import { sql } from 'kysely';
import { stagingAfter } from '../../drops/drops.js';
import { all, type Ledger, query } from '../../store/query.js';

/** More than any submission's number. */
const NO_END = Number.MAX_SAFE_INTEGER;

/**
 * How many submissions wait, by environment, without those of an unpublished drop. An index alone tells, while a million rows
 * are staged too: the drop being staged has all numbers after one, but those of decisions that are made meanwhile.
 * @param name only this environment; none in the answer where the ledger doesn't know it.
 */
export async function waitingByEnvironment(
  ledger: Ledger,
  name?: string,
): Promise<{ readonly environment: string; readonly count: number }[]> {
  const staging = await stagingAfter(ledger);
  const upTo = staging?.after ?? NO_END;
  const waits = sql`select count(*) from submission s
    where s.environment_id = environment.environment_id and s.state = 'waiting' and s.submission_id <= ${upTo}`;
  const ofPriority = (priority: 0 | 1) => sql<number>`(${waits} and s.priority = ${sql.lit(priority)})`;
  // Of a damaged ledger: a row that is counted nowhere would be taken for delivered.
  const ofNone = sql<number>`((${waits} and s.priority < 0) + (${waits} and s.priority > 1))`;
  const meanwhile = sql<number>`(select count(*) from submission r indexed by submission_rare
    where r.decision_id is not null and r.submission_id > ${upTo} and r.drop_id <> ${staging?.dropId ?? 0}
      and +r.environment_id = environment.environment_id and +r.state = 'waiting')`;
  const count = sql<number>`${ofPriority(0)} + ${ofPriority(1)} + ${ofNone}`;
  const counted = query
    .selectFrom('environment')
    .select([
      'name as environment',
      (staging === undefined ? count : sql<number>`${count} + ${meanwhile}`).as('count'),
    ]);
  return all(ledger, name === undefined ? counted : counted.where('name', '=', name));
}
