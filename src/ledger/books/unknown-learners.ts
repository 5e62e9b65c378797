import { sql } from 'kysely';
import { grouped } from '../../domain/grouped.js';
import { mapSeries } from '../../domain/process/series.js';
import { type NearMatch, nearMatches } from '../../domain/text/near-matches.js';
import type { ReportSelection } from '../drops/report-selection.js';
import { all, boundLimit, bytes, first, type Ledger, query, reading } from '../store/query.js';
import { submissionIn } from '../submissions/columns.js';
import { fieldsIn } from '../submissions/record/kept-record.js';
import { knownLearners } from '../submissions/subjects.js';

/**
 * Counts the unknown learners of a selection, and lists those with the most rows, each with the nearest learners that the same
 * environment has accepted: that search reads every learner of each environment. Learners are listed with the first of their
 * rows, and with the state of their rechecks (`hold`; null: it has ended). `listable`: how many of them can be listed.
 * @param most the maximum number of learners to list.
 * @param among hashes: lists only these learners.
 * @param shown the part of the list to return, for which near learners are searched; absent: all.
 */
export async function unknownLearners(
  ledger: Ledger,
  selection: ReportSelection,
  limit: number,
  among?: readonly string[],
  shown: { readonly from: number; readonly count: number } = { from: 0, count: limit },
) {
  const unknown = await reading(ledger, async (ledger) => ({
    ...(await countUnknownLearners(ledger, selection)),
    listed: await listUnknown(ledger, selection, limit, among),
  }));
  const part = unknown.listed.slice(shown.from, shown.from + shown.count);
  // Outside a transaction, because it takes seconds in a large ledger: a learner accepted meanwhile may be missed.
  const near = new Map<(typeof part)[number], readonly NearMatch[]>();
  for (const [environment, ours] of grouped(part, (one) => one.environment)) {
    const learners = ours.map(({ learner }) => learner);
    const matches = await nearMatches(learners, knownLearners(ledger, environment));
    for (const [index, one] of ours.entries()) near.set(one, matches[index] ?? []);
  }
  const listed = part.map((one) => ({ ...one, near: near.get(one) ?? [] }));
  return { ...unknown, listable: unknown.listed.length, listed };
}

async function listUnknown(
  ledger: Ledger,
  selection: ReportSelection,
  limit: number,
  among?: readonly string[],
) {
  let unknown = query
    .selectFrom('submission_record as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select([sql<number>`count(*)`.as('rows'), sql<number>`min(s.submission_id)`.as('first')])
    // Open because of an unknown learner.
    .where(sql<boolean>`s.submission_id in (select o.submission_id from open_item o where ${isOfUnknown})`)
    .where(submissionIn(selection))
    .where('s.encoded_record', 'is not', null)
    .groupBy(['s.environment', 's.learner_id'])
    .orderBy('rows', 'desc')
    .orderBy('first')
    .limit(boundLimit(limit));
  if (among) unknown = unknown.where('s.learner_hash', 'in', among.map(bytes));
  const listed = query
    .selectFrom(unknown.as('u'))
    .innerJoin('submission_record as s', 's.submission_id', 'u.first')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .leftJoin('learner_hold as h', (join) =>
      join.onRef('h.environment', '=', 's.environment').onRef('h.learner_id', '=', 's.learner_id'),
    )
    .select(['s.environment', 's.learner_hash as hash', 's.learner_type as type', 's.learner as id'])
    .select(['u.rows', 's.encoded_record as record', 'd.file_name as file', 's.line'])
    .select(['h.rechecks', 'h.checked_at as checkedAt'])
    .orderBy('u.rows', 'desc')
    .orderBy('u.first');
  return (await all(ledger, listed)).flatMap(({ environment, hash, type, id, rows, ...row }) => {
    if (hash === null || id === null) return [];
    const { file, line, record, rechecks, checkedAt } = row;
    const example = { file, line, fields: fieldsIn(record) ?? {} };
    const hold = rechecks === null || checkedAt === null ? null : { rechecks, checkedAt };
    return { environment, rows, hash: hash.toString('hex'), learner: { type, id }, example, hold };
  });
}

export async function countUnknownLearners(ledger: Ledger, selection: ReportSelection) {
  const counted = await first(ledger, countOfUnknown.where(submissionIn(selection, 'o')));
  return counted ?? { learners: 0, rows: 0 };
}

/**
 * The environments with unknown learners: when the learner whose recheck is due next was last checked (null: no
 * recheck is left), and how many learners have no recheck left.
 * @param timesIn how often an environment rechecks.
 */
export async function unknownByEnvironment(ledger: Ledger, timesIn: (environment: string) => number) {
  const counted = countOfUnknown
    .innerJoin('environment as e', 'e.environment_id', 'o.environment_id')
    .select('e.name as environment')
    .where('d.state', '=', sql.lit('published'))
    .groupBy('e.name');
  return mapSeries(await all(ledger, counted), async (unknown) => {
    const times = timesIn(unknown.environment);
    const holds = await ledger.db
      .selectFrom('learner_hold')
      .select(sql<string | null>`min(checked_at) filter (where rechecks < ${times})`.as('checkedAt'))
      .select(sql<number>`count(*) filter (where rechecks >= ${times})`.as('spent'))
      .where('environment', '=', unknown.environment)
      .executeTakeFirstOrThrow();
    return { ...unknown, ...holds };
  });
}

const isOfUnknown = sql<boolean>`o.cause = 'learner-unknown' and o.state in ('held', 'rejected')`;

const countOfUnknown = query
  .selectFrom('open_item as o')
  .innerJoin('drop_file as d', 'd.drop_id', 'o.drop_id')
  .select([sql<number>`count(distinct o.learner_id)`.as('learners'), sql<number>`count(*)`.as('rows')])
  .where(isOfUnknown);
