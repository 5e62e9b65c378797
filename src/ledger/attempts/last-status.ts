import { sql } from 'kysely';

/** For `submission as s`: HTTP status of the first answer to its latest request; null: no answer came, or no request was sent. */
export const lastStatus = sql<number | null>`(
  select r.status from attempt_submission tried
  join response r on r.attempt_id = tried.attempt_id and r.late = 0
  where tried.submission_id = s.submission_id order by tried.attempt_id desc limit 1)`;
