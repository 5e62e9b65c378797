import BetterSqlite3, { type Database } from 'better-sqlite3';
import type { Cause } from '../src/domain/cause.js';

/**
 * Gives a ledger whose rows all wait the history that a year of deliveries would have left. Of a thousand rows 908 are
 * accepted (8 of these after a 429), 10 rejected for their learner and 21 for other causes, 10 held, 1 failed, 2 are
 * dismissed, and the others wait on. It is written by statements over many rows, because a million single answers take an
 * hour; the ledger's triggers and CHECKs still see each row.
 */
export function answerLedger(path: string): void {
  const db = new BetterSqlite3(path);
  db.pragma('foreign_keys = off');
  db.pragma('synchronous = off');
  db.pragma('cache_size = -200000');
  db.pragma('temp_store = memory');
  try {
    db.transaction(() => answer(db)).immediate();
    // The state in which a run leaves the ledger's file.
    db.pragma('wal_checkpoint(truncate)');
  } finally {
    db.close();
  }
}

/** The attempt of the row that is being sent. */
const ATTEMPT = '(select attempt_id from sent where sent.submission_id = fate.submission_id)';

const AT = '2026-03-02T08:00:00.000Z';

function answer(db: Database): void {
  db.exec(`
    create temp table fate as
    select submission_id, environment, learner_id, operation, drop_id,
      case
        when n < 908 then 'accepted' when n < 918 then 'unknown' when n < 929 then 'bad-request'
        when n < 939 then 'not-found' when n < 949 then 'held' when n < 950 then 'failed' when n < 952 then 'dismissed'
      end as fate
    from (select *, (submission_id * 7919) % 1000 as n from submission_record where state = 'waiting');
    delete from fate where fate is null;
    create index temp.fate_of on fate (fate);
    insert into run (trigger, version, pid, host, boot, started_at, ended_at, ending)
      values ('cron', 'bench', 1, 'bench', 'bench', '${AT}', '${AT}', 'attention');
    create temp table pushed as select max(run_id) as run from run;
  `);
  // One row in a hundred was refused with 429 first.
  sendAll(
    db,
    "fate = 'accepted' and submission_id % 100 = 0",
    'throttled',
    'waiting',
    ['rate-limited', 'quota-exceeded'],
    429,
  );
  sendAll(db, "fate = 'accepted'", 'accepted', 'accepted', [null, null], 201);
  sendAll(db, "fate = 'unknown'", 'rejected', 'rejected', ['learner-unknown', null], 400);
  sendAll(db, "fate = 'bad-request'", 'rejected', 'rejected', ['platform-refused', 'bad-request'], 400);
  sendAll(db, "fate = 'not-found'", 'rejected', 'rejected', ['platform-refused', 'not-found'], 404);
  sendAll(db, "fate = 'failed'", 'exhausted', 'failed', ['platform-failed', 'HTTP 503'], 503);
  move(db, "fate = 'held'", 'waiting', 'guarded', 'held', ['out-of-order', null]);
  move(db, "fate = 'dismissed'", 'waiting', 'dismissed', 'dismissed', ['dismiss', null]);
  db.exec(`
    insert or ignore into learner_hold (environment, learner_id, since_at, checked_at, submission_id)
      select environment, learner_id, '${AT}', '${AT}', submission_id from fate where fate = 'unknown';
    delete from counter where state <> 'invalid';
    insert into counter (drop_id, environment_id, state, cause, code, count)
      select drop_id, environment_id, state, coalesce(cause, ''), coalesce(platform_code, cause, ''), count(*)
      from submission group by 1, 2, 3, 4, 5;
    insert or ignore into open_item (drop_id, line, submission_id, environment_id, learner_id, state, cause, code)
      select drop_id, line, submission_id, environment_id, learner_id, state, cause, coalesce(platform_code, cause)
      from submission where state in ('held', 'rejected', 'failed', 'in-doubt');
  `);
}

/** A cause and the platform's code for it. */
type Why = readonly [Cause | null, string | null];

/** One request for each of these rows, and its answer. */
function sendAll(db: Database, which: string, event: string, to: string, why: Why, status: number): void {
  const reason = why[1] ?? why[0];
  const outcome = {
    accepted: 'accepted',
    throttled: 'throttled',
    rejected: 'rejected',
    exhausted: 'transient',
  }[event];
  db.exec(`
    create temp table sent as
      select row_number() over (order by submission_id) + coalesce((select max(attempt_id) from attempt), 0) as attempt_id,
        submission_id, environment, operation, hex(randomblob(20)) as id
      from fate where ${which};
    create index temp.sent_of on sent (submission_id);
    insert into attempt (attempt_id, run_id, environment, operation, lease_fence, started_at)
      select attempt_id, (select run from pushed), environment, operation, 1, '${AT}' from sent;
    insert into attempt_submission (attempt_id, submission_id) select attempt_id, submission_id from sent;
  `);
  move(db, which, 'waiting', 'claimed', 'sending', [null, null], ATTEMPT);
  db.exec(`
    insert into response (response_id, attempt_id, late, outcome, reason, status, error_id, error_code, error_title,
        platform_id, body_state, headers, received_at, duration_ms)
      select attempt_id, attempt_id, 0, '${outcome}', ${text(reason)}, ${status},
        iif(${status} >= 400, lower(substr(id, 1, 16)), null), ${text(reason)},
        iif(${status} >= 400, 'Refused', null), iif(${status} < 400, lower(substr(id, 1, 24)), null), 'complete',
        '{"content-type":"application/vnd.api+json","x-request-id":"' || attempt_id || '"}', '${AT}', 180
      from sent;
    insert into response_text (response_id, body, detail, source)
      select attempt_id, iif(${status} < 400,
          '{"data":{"type":"completions","id":"' || lower(substr(id, 1, 24)) || '"}}',
          '{"errors":[{"id":"' || lower(substr(id, 1, 16)) || '","code":"' || ${text(reason ?? '')} || '","title":"Refused","detail":"The record was refused."}]}'),
        iif(${status} >= 400, 'The record was refused.', null), null
      from sent;
    insert into answer_counter select environment, '${outcome}', count(*) from sent group by environment
      on conflict do update set count = count + excluded.count;
  `);
  move(db, which, 'sending', event, to, why, ATTEMPT);
  db.exec('drop table temp.sent');
}

/** Logs a change of state of these rows and carries it out. */
function move(
  db: Database,
  which: string,
  from: string,
  event: string,
  to: string,
  [cause, code]: Why,
  attempt = 'null',
): void {
  db.exec(`
    insert into transition (submission_id, from_state, event, to_state, cause, platform_code, at, run_id, attempt_id)
      select submission_id, '${from}', '${event}', '${to}', ${text(cause)}, ${text(code)}, '${AT}', (select run from pushed),
        ${attempt}
      from fate where ${which};
    update submission set state = '${to}', cause = ${text(cause)}, platform_code = ${text(code)},
        accepted_as = ${to === 'accepted' ? "'new'" : 'null'}
      where submission_id in (select submission_id from fate where ${which});
  `);
}

function text(value: string | null): string {
  return value === null ? 'null' : `'${value}'`;
}
