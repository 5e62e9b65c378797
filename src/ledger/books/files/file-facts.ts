import { sql } from 'kysely';
import { uploadsOf } from '../../access/audit-log.js';
import { decisionsNumbered } from '../../decisions/decision-log.js';
import { all, type Ledger, query, reading } from '../../store/query.js';
import { DESCRIPTION, describedDrop } from './drop-list.js';
import { filesNumbered } from './list-files.js';

/** All facts about an imported file, without its rows. */
export type FileFacts = NonNullable<Awaited<ReturnType<typeof fileFacts>>>;

const MAX_ARRIVALS = 20;
const MAX_DECISIONS = 50;

/** Reads all facts about an imported file, without its rows; null: there is no drop with this number. */
export async function fileFacts(ledger: Ledger, dropId: number) {
  return reading(ledger, async (ledger) => {
    const [listed] = await filesNumbered(ledger, [dropId]);
    if (listed === undefined) return null;
    const { mapping, ...drop } = await ledger.db
      .selectFrom('drop_file as d')
      .select(['d.sha256', 'd.format', 'd.sheet', 'd.header_line as headerLine', 'd.mapping'])
      .select(['d.published_at as publishedAt', ...DESCRIPTION])
      .select(sql<number>`(select count(*) from arrival a where a.drop_id = d.drop_id)`.as('arrivalCount'))
      .where('d.drop_id', '=', dropId)
      .executeTakeFirstOrThrow();
    const arrivals = query
      .selectFrom('arrival')
      .select(['file_name as file', 'arrived_at as at', 'run_id as runId'])
      .where('drop_id', '=', dropId)
      .orderBy('arrival_id', 'desc');
    return {
      ...listed,
      ...describedDrop(drop),
      mapping: JSON.parse(mapping ?? '{}') as Record<string, unknown>,
      /** The arrivals of its bytes, the latest first; at most `MAX_ARRIVALS`. */
      arrivals: await all(ledger, arrivals.limit(sql.lit(MAX_ARRIVALS))),
      /** Who uploaded its bytes, the latest first; none: they came by another way. */
      uploads: await uploadsOf(ledger, { source: listed.source, sha256: drop.sha256 }),
      /** The decisions about it or its rows, the latest first; at most `MAX_DECISIONS`. */
      decisions: await decisionsOf(ledger, dropId),
    };
  });
}

async function decisionsOf(ledger: Ledger, dropId: number) {
  const touched = await all(ledger, decided(dropId));
  const ids = touched.map(({ decisionId }) => decisionId);
  const decisions = await decisionsNumbered(ledger, ids);
  return touched.flatMap(({ decisionId, rows }) => {
    const decision = decisions.get(decisionId);
    return decision === undefined ? [] : { ...decision, rows };
  });
}

/** The decisions that dismissed the file, resolved invalid rows, created submissions, or listed submissions to move. */
const decided = (dropId: number) => sql<{ decisionId: number; rows: number }>`
  select "decisionId", sum(rows) as rows from (
    select decision_id as "decisionId", 0 as rows from refused_drop where drop_id = ${dropId} and decision_id is not null
    union all
    select decision_id, count(*) from resolution where drop_id = ${dropId} group by decision_id
    union all
    select decision_id, count(*) from corrected_row where drop_id = ${dropId} and outcome = 'invalid' group by decision_id
    union all
    select decision_id, count(*) from submission
    where drop_id = ${dropId} and decision_id is not null group by decision_id
    union all
    select x.decision_id, count(*) from decision_submission x
    where (select s.drop_id from submission s where s.submission_id = x.submission_id) = ${dropId} group by x.decision_id
  ) d group by "decisionId" order by "decisionId" desc limit ${sql.lit(MAX_DECISIONS)}`;
