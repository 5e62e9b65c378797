import { type RawBuilder, sql } from 'kysely';
import { stagingAfter } from '../../drops/drops.js';
import { all, type Ledger, query } from '../../store/query.js';

/** More than any submission's number. */
const NO_END = Number.MAX_SAFE_INTEGER;

/**
 * How many submissions wait, by environment, without those of an unpublished drop.
 * @param name only this environment; none in the answer where the ledger doesn't know it.
 */
export async function waitingByEnvironment(
  ledger: Ledger,
  name?: string,
): Promise<{ readonly environment: string; readonly count: number }[]> {
  const counts = (await waitingRows(ledger)).map((rows) => sql`(select count(*) ${rows})`);
  const counted = query
    .selectFrom('environment')
    .select(['name as environment', sql<number>`${sql.join(counts, sql` + `)}`.as('count')]);
  return all(ledger, name === undefined ? counted : counted.where('name', '=', name));
}

/** The names of the environments in which any submission waits, without those of an unpublished drop. */
export async function waitingEnvironments(ledger: Ledger): Promise<string[]> {
  const any = (await waitingRows(ledger)).map((rows) => sql`exists (select 1 ${rows})`);
  const environments = await all(
    ledger,
    query
      .selectFrom('environment')
      .select('name')
      .where(sql<boolean>`(${sql.join(any, sql` or `)})`)
      .orderBy('name'),
  );
  return environments.map(({ name }) => name);
}

/**
 * The rows that wait in an `environment`, in parts that an index alone gives, while a million rows are staged too: the drop being
 * staged has all numbers after one, but those of decisions that are made meanwhile.
 */
async function waitingRows(ledger: Ledger): Promise<readonly RawBuilder<unknown>[]> {
  const staging = await stagingAfter(ledger);
  const upTo = staging?.after ?? NO_END;
  const waits = sql`from submission s
    where s.environment_id = environment.environment_id and s.state = 'waiting' and s.submission_id <= ${upTo}`;
  const parts = [
    sql`${waits} and s.priority = 0`,
    sql`${waits} and s.priority = 1`,
    // Of a damaged ledger: a row that is counted nowhere would be taken for delivered.
    sql`${waits} and s.priority < 0`,
    sql`${waits} and s.priority > 1`,
  ];
  if (staging === undefined) return parts;
  const meanwhile = sql`from submission r indexed by submission_rare
    where r.decision_id is not null and r.submission_id > ${upTo} and r.drop_id <> ${staging.dropId}
      and +r.environment_id = environment.environment_id and +r.state = 'waiting'`;
  return [...parts, meanwhile];
}
