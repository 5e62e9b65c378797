import { sql } from 'kysely';
import type { State } from '../domain/submission.js';
import { causeCode } from './attention.js';
import { fileNamed } from './file-named.js';
import { LEARNER_DIGITS } from './keys.js';
import { all, beginsLike, bytes, type Ledger, query } from './query.js';

/** Which submissions a decision is about; what is left out doesn't narrow. */
export interface Selection {
  readonly states: readonly State[];
  /** A cause, or the platform's code for one, as reports show it: learner-unknown, out-of-order, bad-request, … */
  readonly reason?: string | undefined;
  /** Hashes of the learner under each identifier type it may have. */
  readonly learners?: readonly string[] | undefined;
  readonly content?: string | undefined;
  readonly fileName?: string | undefined;
  readonly runId?: number | undefined;
  /** ISO times: from the one on and before the other its drop was published. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly submissionIds?: readonly number[] | undefined;
}

/** One selected submission, for lists. */
export interface Selected {
  readonly submissionId: number;
  readonly state: State;
  readonly code: string;
  readonly environment: string;
  readonly file: string;
  readonly line: number;
}

/** The submissions a selection names, oldest first. */
export function select(ledger: Ledger, selection: Selection): Selected[] {
  return all(ledger, selected(selection));
}

function selected(selection: Selection) {
  const { reason, content, fileName, runId, since, until, submissionIds } = selection;
  let chosen = query
    .selectFrom('submission as s')
    .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
    .select([
      's.submission_id as submissionId',
      's.state',
      causeCode.as('code'),
      's.environment',
      'd.file_name as file',
      's.line',
    ])
    .where('d.state', '=', 'published')
    .where(inStates(selection))
    .orderBy('s.submission_id');
  if (reason !== undefined)
    chosen = chosen.where(sql<boolean>`(s.platform_code = ${reason} or s.cause = ${reason})`);
  if (selection.learners) chosen = chosen.where(isAbout(selection.learners));
  if (content !== undefined) {
    chosen = chosen.where(
      sql<boolean>`iif(json_valid(s.record), s.record ->> '$."content-id"', null) = ${content}`,
    );
  }
  if (fileName !== undefined) chosen = chosen.where(fileNamed(fileName));
  if (runId !== undefined) {
    chosen = chosen.where(
      sql<boolean>`(d.run_id = ${runId}
        or s.submission_id in (select submission_id from transition where run_id = ${runId}))`,
    );
  }
  if (since !== undefined) chosen = chosen.where('d.published_at', '>=', since);
  if (until !== undefined) chosen = chosen.where('d.published_at', '<', until);
  if (submissionIds) {
    chosen = chosen.where(
      sql<boolean>`s.submission_id in (select value from json_each(${JSON.stringify(submissionIds)}))`,
    );
  }
  return chosen;
}

/**
 * By the index of states, unless few rows are named otherwise: many rows of others may be in it too. In letters and with
 * "or", as in that index, so that SQLite sees that it serves.
 */
function inStates({ states, learners, submissionIds }: Selection) {
  const isFew = learners !== undefined || submissionIds !== undefined;
  const column = isFew ? sql`+s.state` : sql`s.state`;
  return sql<boolean>`(${sql.join(
    states.map((state) => sql`${column} = ${sql.lit(state)}`),
    sql` or `,
  )})`;
}

function isAbout(learners: readonly string[]) {
  const conditions = learners.map(
    (hash) =>
      sql<boolean>`(${beginsLike('s.key', bytes(hash), LEARNER_DIGITS)} and s.learner = ${bytes(hash)})`,
  );
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}
