import { sql } from 'kysely';
import type { Identified } from '../../decisions/corrections.js';
import { all, beginsLike, bytes, type Ledger, query } from '../../store/query.js';
import { LEARNER_DIGITS } from '../../submissions/record/keys.js';
import { rowsNaming } from '../../trace/rows-naming.js';
import { leadingCode, unresolved } from '../rows/attention.js';
import type { ListedPlace } from './row-places.js';
import { anyOf, type Wanted } from './row-streams.js';

/** Rows whose cells are searched for a learner: some ten milliseconds. */
const MOST_ROWS = 10_000;

/** A submission of few, with its cause and the platform's code for it. */
export interface FewRow extends ListedPlace {
  readonly cause: string | null;
  readonly code: string | null;
}

/** The submissions of these learners or of these numbers, whichever is given, that are wanted. */
export async function fewRows(
  ledger: Ledger,
  {
    learners,
    submissionIds,
  }: { readonly learners: readonly Identified[] | null; readonly submissionIds: readonly number[] | null },
  { fits, ranges, staging }: Wanted,
): Promise<FewRow[]> {
  const hashes = [...new Set((learners ?? []).map(({ hash }) => hash))];
  const isOfLearner =
    learners === null
      ? sql<boolean>`true`
      : anyOf(hashes.map((hash) => sql<boolean>`(${beginsLike('s.key', bytes(hash), LEARNER_DIGITS)})`));
  const isNumbered =
    submissionIds === null
      ? sql<boolean>`true`
      : sql<boolean>`s.submission_id in (select value from json_each(${JSON.stringify(submissionIds)}))`;
  const found = await all(
    ledger,
    query
      .selectFrom('submission as s')
      .select([
        's.drop_id as dropId',
        's.line',
        's.submission_id as submissionId',
        's.state',
        's.cause',
        's.platform_code as code',
      ])
      .where(isOfLearner)
      .where(isNumbered)
      .where(fits ?? sql<boolean>`true`),
  );
  return found.filter(
    ({ dropId }) => dropId !== staging && ranges.some(({ from, to }) => from <= dropId && dropId <= to),
  );
}

/** The open invalid rows that name the learner and the content, and are among those named. */
export async function invalidNamed(
  ledger: Ledger,
  {
    learners,
    content,
    cause,
    named,
  }: {
    readonly learners: readonly Identified[] | null;
    readonly content: string | null;
    readonly cause: string | null;
    readonly named: readonly { readonly dropId: number; readonly line: number }[] | null;
  },
  { ranges }: Wanted,
): Promise<{ places: ListedPlace[]; unsearched: number }> {
  const texts = learners && [...new Set(learners.map(({ id }) => id.toLowerCase()))];
  const { found, left } =
    named === null || texts !== null
      ? await rowsNaming(ledger, { learner: texts, content }, MOST_ROWS)
      : { found: named, left: 0 };
  const places: ListedPlace[] = [];
  for (const { dropId, line } of found) {
    if (!ranges.some(({ from, to }) => from <= dropId && dropId <= to)) continue;
    if (named !== null && !named.some((one) => one.dropId === dropId && one.line === line)) continue;
    const open = await all(
      ledger,
      query
        .selectFrom('row as r')
        .select('r.line')
        .where('r.drop_id', '=', dropId)
        .where('r.line', '=', line)
        .where('r.disposition', '=', 'invalid')
        .where(unresolved)
        .where(cause === null ? sql<boolean>`true` : sql<boolean>`${leadingCode} = ${cause}`),
    );
    if (open.length > 0) places.push({ dropId, line, submissionId: 0, state: 'invalid' });
  }
  return { places, unsearched: left };
}
