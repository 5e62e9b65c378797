import { type RawBuilder, sql } from 'kysely';
import type { RowRef } from '../../../domain/row-ref.js';
import type { Selection } from '../../../domain/selection.js';
import { fileNamed } from '../../drops/drops.js';
import { runsOf } from '../../leases/runs.js';
import { areAmong, isAmong } from '../../store/dialect.js';
import { isOneOf } from '../subjects.js';

/** Published submissions and unresolved invalid rows, with names looked up. Absent or null doesn't filter. */
export interface RowFilter
  extends Pick<Selection, 'states'>,
    Partial<Pick<Selection, 'cause' | 'content' | 'file' | 'run' | 'since' | 'until'>> {
  /** For submissions: the hashes of the learner, one for each type of identifier. */
  readonly learners?: readonly string[] | null;
  readonly submissionIds?: readonly number[] | null;
  /** Only these invalid rows. Without it, a filter by learners, content or submissions excludes invalid rows. */
  readonly rowRefs?: readonly RowRef[] | null;
}

/** Condition on `drop as d`: it matches the filter's conditions on drops. */
export function dropMatches({ file, since, until }: RowFilter): RawBuilder<boolean> {
  return every([
    sql<boolean>`d.state = 'published'`,
    isGiven(file) && fileNamed(file),
    isGiven(since) && sql<boolean>`d.published_at >= ${since}`,
    isGiven(until) && sql<boolean>`d.published_at < ${until}`,
  ]);
}

/** Condition on `submission as s` or on its `open_item as s`: it matches, apart from state, cause and drop. */
export function submissionMatches(filter: RowFilter): RawBuilder<boolean> {
  const { content, learners, run, submissionIds } = filter;
  return every([
    isGiven(learners) && isOneOf('s.learner_id', learners),
    isGiven(content) &&
      sql<boolean>`exists (select 1 from submission o join content c on c.content_id = o.content_id
        where o.submission_id = s.submission_id and c.identifier = ${content})`,
    isGiven(run) &&
      sql<boolean>`(${isOfRun(run)} or exists (select 1 from transition t
        where t.submission_id = s.submission_id and t.run_id in ${runsOf(run)}))`,
    isGiven(submissionIds) && isAmong('s.submission_id', submissionIds),
  ]);
}

/** Condition on `open_item as s` of an invalid row: it matches the filter, apart from cause and drop. */
export function invalidRowMatches(filter: RowFilter): RawBuilder<boolean> {
  const { run, learners, content, submissionIds } = filter;
  const isNarrowed = [learners, content, submissionIds].some(isGiven);
  const rowRefs = filter.rowRefs ?? (isNarrowed ? [] : null);
  const places = rowRefs?.map(({ dropId, line }) => [dropId, line] as const);
  return every([isGiven(run) && isOfRun(run), isGiven(places) && areAmong(['s.drop_id', 's.line'], places)]);
}

function isOfRun(runId: number): RawBuilder<boolean> {
  return sql<boolean>`s.drop_id in (select drop_id from drop_file where run_id in ${runsOf(runId)})`;
}

/** All of the conditions; a false is ignored. */
export function every(optional: readonly (RawBuilder<boolean> | false)[]): RawBuilder<boolean> {
  const conditions = optional.filter((condition) => condition !== false);
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
