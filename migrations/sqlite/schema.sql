-- 0001-ledger.sql 86200d2dabfba4c661c6bc0b0e97a8407874619d1a0c7868d309b2d16336048e
-- 0002-remote-inbox.sql 429f3743ad18b10d3696367fb7f4f49665094bbfb6c422d42e91d20a74b3932e
-- 0003-containers.sql f58dafa6221235035c9096492ba0ec9989d8420d68426b2be990042b04c61df7
-- 0004-audit.sql 5baddd8c0aa865c9ab86b5b9da0bd93e1d0e2f17e9e788e89e4e5f4fef5503f9
-- 0005-results.sql f8ee41931c370c1086bc209c526d5caaaeadf4e74a2010e605f162b89e81d14d
-- 0006-people.sql 7497396a8c2a500345f9a61784f156ec4adf548c4082c3e6776b3bef575a2d1b
-- 0007-encoded-record.sql 8b04cf5ee8292a869a8586f3c79fe9a2b429c8b21ec06bd92ececcee2534756f
-- 0008-outage-without-report.sql 4d03e4c234ea281b1a9469b3bdb11078b2aac7d6333b8183d7923804c25a9c6e
-- 0009-names.sql 444e071d093057da66235a656b2793f03f8088a7fe2960570c2220ff7f17984f

CREATE TABLE alert (
  alert_id integer primary key,
  -- One of ALERT_KINDS in src/domain/alerts/alert.ts.
  kind text not null check (kind in (
    'cause', 'share', 'run', 'drop-small', 'drop-large', 'configuration', 'ledger', 'disk', 'books', 'service', 'schedule', 'backup',
    'inbox', 'file', 'environment', 'deadline', 'quota', 'decision', 'channel')),
  -- A source, or the subject of a finding of health.
  subject text not null,
  -- Which of the subject: the code of a cause or a finding; else ''.
  code text not null,
  opened_at text not null,
  -- When it was last found.
  last_seen_at text not null,
  -- When what was found was over: an outage by its own record, anything else when it was last found. Null while it is found.
  over_at text,
  -- When it was over for long enough to be reported. Null while it is open.
  closed_at text,
  -- JSON: numbers, codes and our own sentences as they were last found. Never personal.
  facts text not null,
  check (closed_at is null or over_at is not null)
) strict;

CREATE TABLE alteration (
  attempt_id integer not null references attempt,
  submission_id integer not null references submission,
  field text not null,
  kind text not null check (kind in ('entity', 'letters', 'other')),
  sent text,
  returned text,
  primary key (attempt_id, submission_id, field)
) strict, without rowid;

CREATE TABLE answer_counter (
  environment text not null,
  outcome text not null,
  count integer not null check (count >= 0),
  primary key (environment, outcome)
) strict, without rowid;

CREATE TABLE api_token (
  -- SHA-256 of the token, which is kept nowhere.
  secret_hash blob primary key check (length(secret_hash) = 32),
  -- Its actions are recorded under it.
  name text not null,
  role text not null check (role in ('viewer', 'operator', 'auditor')),
  added_at text not null,
  added_by text not null,
  added_door text not null check (added_door in ('command-line', 'schedule', 'inbox', 'console')),
  -- Written at most once a minute. Null until it is used.
  last_used_at text,
  -- Null while it is valid.
  revoked_at text,
  revoked_by text,
  revoked_door text check (revoked_door in ('command-line', 'schedule', 'inbox', 'console')), expires_at text,
  check ((revoked_at is null) = (revoked_by is null) and (revoked_at is null) = (revoked_door is null))
) strict, without rowid;

CREATE TABLE arrival (
  arrival_id integer primary key,
  drop_id integer not null references drop_file,
  run_id integer not null references run,
  file_name text not null,
  arrived_at text not null
) strict;

CREATE TABLE attempt (
  attempt_id integer primary key,
  run_id integer not null references run,
  environment text not null,
  operation text not null,
  -- The fence of the lease under which it was made.
  lease_fence integer not null,
  started_at text not null
) strict;

CREATE TABLE attempt_open (
  attempt_id integer primary key references attempt,
  environment text not null
) strict;

CREATE TABLE attempt_submission (
  attempt_id integer not null references attempt,
  submission_id integer not null references submission,
  primary key (attempt_id, submission_id)
) strict, without rowid;

CREATE TABLE audit_event (
  event_id integer primary key,
  kind text not null check (kind in
    ('upload', 'sign-in', 'sign-in-refused', 'sign-out', 'settings', 'assign', 'mute', 'start-line')),
  who text not null,
  door text not null check (door in ('command-line', 'schedule', 'inbox', 'console')),
  at text not null,
  -- Of an uploaded file: its source, the name under which it was put into the inbox, and the SHA-256 of its bytes.
  source text,
  file_name text,
  sha256 text check (length(sha256) = 64),
  -- Of an assignment the cause's code, of a muted alert its kind, subject and code, and the name of a started line.
  subject text,
  -- To whom the cause is assigned, '' where it no longer is; until when the alert is muted.
  value text,
  -- Of a change of registrar.yaml its removed and added lines; the comment of an assignment; why an alert is muted.
  about text,
  check ((kind = 'upload') = (source is not null) and (source is null) = (file_name is null) and (source is null) = (sha256 is null)
    and (kind in ('settings', 'assign', 'mute')) = (about is not null)
    and (kind in ('assign', 'mute', 'start-line')) = (subject is not null)
    and (kind in ('assign', 'mute')) = (value is not null))
) strict;

CREATE VIEW books_attempt as
select a.attempt_id, a.run_id, a.environment,
  exists (select 1 from response r where r.attempt_id = a.attempt_id and r.late = 0) as answered
from attempt a
where exists (select 1 from response r where r.attempt_id = a.attempt_id and r.late = 0)
  = exists (select 1 from attempt_open o where o.attempt_id = a.attempt_id);

CREATE TABLE canary (
  drop_id integer primary key references drop_file,
  environment text not null,
  answered integer not null,
  refused integer not null,
  -- When the refusals became too many; null while they are not.
  stopped_at text,
  -- When the last of the other rows was held.
  held_at text
) strict;

CREATE TABLE changed_file (
  drop_id integer not null references drop_file,
  run_id integer not null references run,
  noticed_at text not null,
  primary key (drop_id, run_id)
) strict, without rowid;

CREATE TABLE contained_file (
  source text not null,
  -- Of the container.
  container_sha256 text not null check (length(container_sha256) = 64),
  container_bytes integer not null check (container_bytes >= 0),
  -- Of the file.
  sha256 text not null check (length(sha256) = 64),
  primary key (source, container_sha256, sha256)
) strict, without rowid;

CREATE TABLE content (
  content_id integer primary key,
  -- Salted hash of the columns below but the title.
  hash blob not null unique check (length(hash) = 8),
  type text not null,
  -- Null where things of this type have one type of identifier.
  identifier_type text,
  identifier text not null,
  -- The part that records are about; null: the whole.
  part text,
  -- As the first file that has one calls it.
  title text
) strict;

CREATE TABLE corrected_row (
  decision_id integer not null references decision,
  drop_id integer not null,
  line integer not null,
  -- As in row. Personal; null once erased.
  cells text,
  -- What became of the row with these cells; null until that is carried out. 'left': nothing, because the row was closed by then,
  -- or would be no record although its submission is; then the cells don't count.
  outcome text check (outcome in ('made', 'repeated', 'skipped', 'invalid', 'left')),
  primary key (decision_id, drop_id, line),
  foreign key (drop_id, line) references row
) strict, without rowid;

CREATE TABLE correction (
  old_learner_id integer primary key references learner,
  new_learner_id integer not null references learner,
  -- The latest decision about it; earlier ones stay in `decision`.
  decision_id integer not null references decision,
  check (new_learner_id <> old_learner_id)
) strict;

CREATE TABLE correction_issue (
  decision_id integer not null references decision,
  ordinal integer not null,
  -- Null for a text file.
  sheet text,
  line integer not null,
  -- As in issue.
  code text not null,
  column_name text,
  -- Personal, both; null once erased.
  value text,
  message text,
  remedy text not null,
  primary key (decision_id, ordinal)
) strict, without rowid;

CREATE TABLE counter (
  drop_id integer not null references drop_file,
  environment_id integer not null references environment,
  state text not null check (
    state in ('invalid', 'waiting', 'held', 'sending', 'accepted', 'rejected', 'failed', 'in-doubt', 'dismissed', 'replaced')),
  -- As in open_item; empty where the state says all.
  cause text not null,
  code text not null,
  count integer not null check (count >= 0),
  primary key (drop_id, state, cause, code)
) strict, without rowid;

CREATE TABLE decision (
  decision_id integer primary key,
  kind text not null check (
    kind in ('rerun', 'dismiss', 'map', 'restage', 'correct', 'forget', 'purge', 'confirm', 'restore')),
  who text not null,
  door text not null check (door in ('command-line', 'schedule', 'inbox', 'console')),
  because text,
  -- JSON of what was selected. Never personal: learners appear as hashes.
  selection text not null,
  made_at text not null,
  finished_at text,
  -- JSON of what it has done, in numbers.
  result text check ((result is null) = (finished_at is null)),
  -- For a decision that moves the rows it lists (rerun, dismiss): the last transition before it. A row that has moved since is
  -- left alone, so that another process may finish the decision of one that died. Null for other kinds.
  last_transition_id integer,
  -- SHA-256 of the request with an Idempotency-Key that made it: the request makes no second one. Null: it had no key.
  request blob check (length(request) = 32)
) strict;

CREATE TABLE decision_submission (
  decision_id integer not null references decision,
  submission_id integer not null references submission,
  primary key (decision_id, submission_id)
) strict, without rowid;

CREATE TABLE drop_file (
  drop_id integer primary key,
  source text not null,
  sha256 text not null check (length(sha256) = 64),
  -- The sheet, where a table continues from sheet to sheet and each sheet is a drop (its first sheet has no part). Empty: the whole
  -- file is one drop.
  part text not null default '',
  bytes integer not null check (bytes >= 0),
  file_name text not null,
  -- Null when the file could not be recognised.
  format text check (format in ('csv', 'xlsx')),
  operation text not null,
  environment text not null,
  state text not null check (state in ('staging', 'published', 'refused')),
  -- The sheet that was read; null for text files.
  sheet text,
  header_line integer,
  -- JSON: the header's cells, and field -> column of the mapping.
  header text,
  mapping text,
  -- Digest of the source's settings while staging: a drop is resumed only under the settings it was begun with.
  settings text,
  -- Rows up to this line are staged; a crashed staging resumes after it.
  staged_line integer not null default 0,
  -- What the reader counted over the whole file, set when published; the dispositions must add up to it.
  rows_read integer check (state <> 'published' or rows_read is not null),
  -- Of them, rows of data that the sheet hides.
  hidden_rows integer not null default 0,
  -- JSON: the visible sheets that were not read, each with the rows it claims to have; null for text files.
  sheets_left text,
  -- JSON: what the file says about the zone of its times, each with its line (null: a column says it) and its words; null: nothing.
  zones text,
  -- Control totals: the dispositions as they were written, batch by batch.
  staged integer not null default 0,
  duplicate integer not null default 0,
  amended integer not null default 0,
  invalid integer not null default 0,
  skipped integer not null default 0,
  non_data integer not null default 0,
  blank integer not null default 0,
  -- How many rows of data its source declares, and how the count compared; null: it declares none.
  -- Submissions beyond the first of their row: a cell that lists several things makes one submission for each.
  further integer not null default 0,
  -- The sentence that says why, when refused.
  refusal text check ((state = 'refused') = (refusal is not null)),
  run_id integer not null references run,
  taken_at text not null,
  published_at text check ((state = 'published') = (published_at is not null)),
  -- A drop is its source and its bytes: the same bytes again are an arrival, not a drop.
  unique (source, sha256, part)
) strict;

CREATE TABLE environment (
  environment_id integer primary key,
  name text not null unique
) strict;

CREATE TABLE forget_identifier (
  decision_id integer not null references decision,
  -- Personal.
  identifier text not null,
  primary key (decision_id, identifier)
) strict, without rowid;

CREATE TABLE "idempotent_response" (
  -- SHA-256 of the program's name and its key.
  key_hash blob primary key check (length(key_hash) = 32),
  -- SHA-256 of these and the request: another request with the key is refused.
  request_hash blob not null check (length(request_hash) = 32),
  status integer not null,
  -- JSON. Personal.
  document text not null,
  answered_at text not null
) strict, without rowid;

CREATE TABLE inbox (
  source text primary key,
  -- The type of its file system, and whether it was mounted there.
  file_system text not null
) strict, without rowid;

CREATE TABLE issue (
  drop_id integer not null references drop_file,
  line integer not null,
  ordinal integer not null,
  code text not null check (
    code = 'value-missing' or code = 'email-invalid' or code = 'identifier-damaged' or code = 'identifier-invalid'
    or code = 'identifier-type-unclear' or code = 'timestamp-invalid'
    or code = 'timestamp-unzoned' or code = 'timestamp-ambiguous' or code = 'timestamp-nonexistent'
    or code = 'timestamp-damaged' or code = 'timestamp-out-of-range' or code = 'date-order-unknown'
    or code = 'dates-swapped' or code = 'score-invalid' or code = 'score-left-out' or code = 'score-scale-unknown'
    or code = 'status-unknown' or code = 'status-not-completed' or code = 'status-by-policy' or code = 'date-empty'
    or code = 'same-key-differs' or code = 'same-key-lower' or code = 'status-unseen' or code = 'choice-invalid'
    or code = 'formula-unsaved' or code = 'text-struck'
    or code = 'row-ragged' or code = 'row-repeats-header' or code = 'row-total' or code = 'row-ruler' or code = 'row-preamble'
    or code = 'row-note' or code = 'row-other-table' or code = 'learner-mapped' or code = 'learner-left'
    or code = 'learner-forgotten' or code = 'not-corrected' or code = 'original-unknown'
    or code = 'original-repeated' or code = 'original-closed' or code = 'original-erased' or code = 'mostly-invalid'
    or code = 'header-missing' or code = 'header-ambiguous' or code = 'data-above-header' or code = 'header-drift'
    or code = 'attention-columns-changed' or code = 'attention-drop-unknown' or code = 'sheet-ambiguous'
    or code = 'sheet-uncounted' or code = 'drop-unreadable' or code = 'drop-changed'),
  column_name text,
  -- Personal, both; null once erased.
  value text,
  message text,
  remedy text not null,
  -- The decision that read the row again and found it; null: it was found in the row as it came in. The latest ones count.
  decision_id integer references decision,
  primary key (drop_id, line, ordinal),
  foreign key (drop_id, line) references row
) strict, without rowid;

CREATE TABLE job (
  job text primary key,
  since_at text not null
) strict, without rowid;

CREATE TABLE job_slot (
  job text not null references job,
  slot_at text not null,
  -- It stands for the times after this one too, which were missed: nobody works on those any more.
  since_at text not null,
  missed integer not null check (missed >= 0),
  -- How often it was begun, but for the times that it was interrupted.
  tries integer not null check (tries >= 0),
  started_at text not null,
  -- Null while it is worked on, or when the process died over it and no other has come yet.
  ended_at text,
  ending text check (ending in ('done', 'failed', 'died', 'interrupted')),
  primary key (job, slot_at),
  check (since_at < slot_at),
  check ((ended_at is null) = (ending is null))
) strict, without rowid;

CREATE TABLE learner (
  learner_id integer primary key,
  -- Salted hash of the type and the identifier, which outlives an erasure.
  hash blob not null unique check (length(hash) = 8),
  -- The type of the identifier, as in the platform's requests.
  type text not null,
  -- Personal; null once erased.
  identifier text
) strict;

CREATE TABLE learner_hold (
  environment text not null,
  learner_id integer not null references learner,
  since_at text not null,
  -- The time of the last refusal, or of the last recheck where that is later. registrar.yaml says how long after it the next
  -- recheck is due.
  checked_at text not null,
  -- Rechecks so far; registrar.yaml says how many there may be.
  rechecks integer not null default 0 check (rechecks >= 0),
  -- The row that was refused last.
  submission_id integer not null references submission,
  -- The row that probes: this hold lets only that row pass. Null once the probe has been refused.
  probe_id integer references submission,
  primary key (environment, learner_id)
) strict, without rowid;

CREATE TABLE lease (
  name text primary key,
  -- Grows with every new owner: a former owner that wakes up sees that it has lost the lease.
  fence integer not null,
  -- Null while the lease is free.
  owner text,
  pid integer,
  pid_started text,
  host text,
  boot text,
  run_id integer references run,
  heartbeat_mono_ms integer,
  expires_mono_ms integer
) strict, without rowid;

CREATE TABLE ledger (
  ledger_id integer primary key check (ledger_id = 1),
  -- The salt of every hash in this file, 64 hex digits. Without it no hash here can be recomputed.
  salt text not null check (length(salt) = 64),
  created_at text not null,
  -- 1 where this ledger replaced another one that could not be read: that one may have made requests in the last minute which are
  -- not recorded here.
  successor integer not null default 0 check (successor in (0, 1)),
  -- Files of archive/ with numbers up to this may belong to another ledger: this one was created or restored beside them.
  foreign_drop_max integer not null default 0 check (foreign_drop_max >= 0)
) strict;

CREATE TABLE notice (
  run_id integer not null references run,
  environment text not null,
  code text not null check (code in ('other-consumer', 'quota-differs')),
  -- JSON: the numbers of the latest occurrence.
  detail text not null,
  count integer not null,
  first_at text not null,
  last_at text not null,
  primary key (run_id, environment, code)
) strict, without rowid;

CREATE TABLE notification (
  notification_id integer primary key,
  alert_id integer not null references alert,
  -- As registrar.yaml names it.
  channel text not null,
  what text not null check (what in ('opened', 'recovered')),
  -- Not before this time: the wait after a failure.
  due_at text not null,
  -- The process that sends it now: until then no other does. Null: none.
  claimed_boot text,
  claimed_until_mono_ms integer,
  -- Null until the channel has accepted it.
  sent_at text,
  -- When sending it first failed, how often it did, and why it did last.
  failed_at text,
  tries integer not null default 0,
  error text,
  unique (alert_id, channel, what),
  check ((claimed_boot is null) = (claimed_until_mono_ms is null)),
  check ((failed_at is null) = (error is null))
) strict;

CREATE TABLE open_item (
  drop_id integer not null references drop_file,
  line integer not null,
  -- 0 for a row that became no record.
  submission_id integer not null,
  environment_id integer not null references environment,
  learner_id integer not null references learner,
  state text not null check (state in ('invalid', 'held', 'rejected', 'failed', 'in-doubt')),
  -- The cause of the submission's state, or the code of the issue under which an invalid row counts.
  cause text not null,
  -- What people see and select by: the platform's own code where it has one, else the cause.
  code text not null,
  primary key (drop_id, line, submission_id)
) strict, without rowid;

CREATE TABLE operation (
  operation_id integer primary key,
  name text not null unique
) strict;

CREATE TABLE outage (
  outage_id integer primary key,
  environment text not null,
  -- Null: the whole environment.
  operation text,
  since_at text not null,
  -- When a report with files last showed the outage in its present state; null: none has.
  ended_at text
) strict;

CREATE TABLE outage_run (
  outage_id integer not null references outage,
  run_id integer not null references run,
  at text not null,
  code text not null check (code in (
    'connection-refused', 'name-unknown', 'unreachable', 'connect-timeout', 'plain-http', 'certificate-untrusted',
    'certificate-name', 'certificate-expired', 'tls-closed', 'tls-failed', 'proxy', 'connection-lost', 'no-answer',
    'not-http', 'credentials', 'token-refused', 'scope', 'address', 'server-error', 'throttled', 'refused')),
  -- The words of the system or the platform, for people. Never personal.
  message text not null,
  host text not null check (host in ('api', 'token')),
  address text not null,
  primary key (outage_id, run_id)
) strict, without rowid;

CREATE TABLE permit (
  -- A number is never reused, so that a process that wakes up late can't touch another one's permit.
  permit_id integer primary key autoincrement,
  client text not null,
  boot text not null,
  purpose text not null check (purpose in ('token', 'push', 'rerun')),
  -- The host that was asked: an answer from another host says nothing about this request.
  recipient text not null,
  taken_mono_ms integer not null,
  -- The permit is free from here on. While no answer has come: deadline plus a period.
  free_mono_ms integer not null,
  -- 0: no answer has come. The platform may still have the request unread in its queue: the permit is kept, and held for one more
  -- period once the platform answers any request.
  answered integer not null default 0 check (answered in (0, 1))
) strict;

CREATE TABLE pinned_setting (
  source text not null,
  name text not null,
  value text not null,
  pinned_at text not null,
  decision_id integer references decision,
  primary key (source, name)
) strict, without rowid;

CREATE TABLE quota_client (
  client text primary key,
  boot text not null,
  -- When the next request may leave, at an even pace.
  next_start_mono_ms integer not null,
  -- No request before this time (a 429 said so).
  paused_until_mono_ms integer not null default 0,
  -- After a pause one request goes alone: 0 while that request is due, then its permit. Null: no pause to probe.
  probe_permit_id integer
) strict, without rowid;

CREATE TABLE refused_drop (
  drop_id integer primary key references drop_file,
  -- When the file was set aside, as in drop_file; this record is about that time. A file that is set aside again is open again.
  taken_at text not null,
  -- Why, in a word: the code of an issue, or 'control-total'. Never personal, unlike drop_file.refusal.
  code text not null,
  -- The decision that dismissed the file. Null while it is open, and where its bytes came in later.
  closed_at text,
  decision_id integer references decision,
  check ((closed_at is null) = (decision_id is null))
) strict;

CREATE TABLE remote_file (
  source text not null,
  -- The server and the folder, without the account.
  place text not null,
  name text not null,
  -- What tells one version of the name from the next: size and time of change, or the server's own mark.
  version text not null,
  sha256 text not null check (length(sha256) = 64),
  fetched_at text not null,
  -- When the original was archived or deleted. Null: it is still there, and a version with the same mark is the same file.
  settled_at text,
  primary key (source, place, name, version)
) strict, without rowid;

CREATE TABLE remote_inbox (
  source text primary key,
  looked_at text not null,
  -- Files that a look has left there: they are still being written, or could not be fetched.
  waiting integer not null check (waiting >= 0),
  -- When the oldest of them was written, by the clock of the server; null: none waits.
  oldest_at text,
  -- Since when the place can't be used, and why: two sentences for people, never personal, without a secret. Null: it can.
  away_since text,
  message text,
  remedy text,
  check ((away_since is null) = (message is null) and (away_since is null) = (remedy is null))
) strict, without rowid;

CREATE TABLE resolution (
  drop_id integer not null,
  line integer not null,
  decision_id integer not null references decision,
  -- The submission that the row became later, or that it turned out to repeat; null where the row was dismissed or its learner
  -- forgotten.
  submission_id integer references submission,
  primary key (drop_id, line),
  foreign key (drop_id, line) references row
) strict, without rowid;

CREATE TABLE response (
  response_id integer primary key,
  attempt_id integer not null references attempt,
  -- 0 for the first; 1 for an answer that came after the attempt had been given up.
  late integer not null check (late in (0, 1)),
  outcome text not null check (outcome in
    ('accepted', 'rejected', 'throttled', 'transient', 'unknown', 'stop')),
  reason text,
  -- Exactly one of the two is null: an answer has a status, a silence has a failure.
  status integer,
  failure text,
  error_id text,
  error_code text,
  error_title text,
  platform_id text,
  body_state text check (body_state in ('complete', 'incomplete', 'capped')),
  -- JSON of selected headers.
  headers text,
  received_at text not null,
  duration_ms integer not null,
  check ((status is null) <> (failure is null))
) strict;

CREATE TABLE response_text (
  response_id integer primary key references response,
  body text,
  detail text,
  source text
) strict;

CREATE TABLE result (
  drop_id integer primary key references drop_file,
  -- Not before this time: the wait after a failure.
  due_at text not null,
  -- Null until all of it is at the target.
  delivered_at text,
  -- When delivering it first failed, how often it did, and why it did last: never personal, without a secret.
  failed_at text,
  tries integer not null default 0 check (tries >= 0),
  error text,
  check ((failed_at is null) = (error is null))
) strict;

CREATE TABLE returned_file (
  returned_file_id integer primary key,
  decision_id integer not null references decision,
  sha256 text not null check (length(sha256) = 64),
  file_name text not null,
  -- Null where a person gave it by hand.
  run_id integer references run,
  arrived_at text not null
) strict;

CREATE TABLE row (
  drop_id integer not null references drop_file,
  -- Physical line of a text file, row number of a sheet.
  line integer not null check (line >= 1),
  disposition text not null check (
    disposition = 'staged' or disposition = 'duplicate' or disposition = 'invalid' or disposition = 'skipped'
    or disposition = 'amended' or disposition = 'non-data' or disposition = 'blank'),
  -- The submission that the row became, or that a duplicate repeats; null for the other dispositions. Of a row with several records
  -- the first that it became.
  submission_id integer references submission,
  -- The number of blank lines that the row stands for, its own included: in a longer run of blank lines only the first hundred
  -- have a row each.
  lines integer not null default 1 check (lines = 1 or (lines > 1 and disposition = 'blank')),
  -- JSON array of its cells as they were read, in the form that `inspect` prints. Personal; null once erased, for a blank row, and
  -- for a row whose cells must not be kept. A cell that an erasure cleared is null.
  cells text check (cells is null or disposition <> 'blank'),
  -- JSON array of the indexes of the cells in which text follows the closing quote; null for nearly all rows.
  stray_quotes text,
  check ((submission_id is not null) = (disposition = 'staged' or disposition = 'duplicate' or disposition = 'amended')),
  -- A row is identified by its drop and line; in this order rows are only ever appended.
  primary key (drop_id, line)
) strict, without rowid;

CREATE TABLE row_part (
  drop_id integer not null references drop_file,
  line integer not null,
  part integer not null,
  submission_id integer not null references submission,
  primary key (drop_id, line, part)
) strict, without rowid;

CREATE TABLE run (
  run_id integer primary key,
  trigger text not null check (trigger in ('cron', 'manual', 'rerun')),
  version text not null,
  pid integer not null,
  -- With pid, host and boot it proves that the process has ended.
  pid_started text,
  host text not null,
  boot text not null,
  started_at text not null,
  -- Null while the run goes on, or when its process died and no later run has noticed.
  ended_at text,
  ending text check (ending in ('done', 'attention', 'unavailable', 'interrupted', 'unbalanced', 'error', 'died')),
  -- The later run whose report and exit code cover the work of this run, which died.
  adopted_by integer references run,
  check ((ended_at is null) = (ending is null))
) strict;

CREATE TABLE service (
  -- The process, as an owner of leases.
  owner text primary key,
  pid integer not null,
  pid_started text,
  host text not null,
  boot text not null,
  started_at text not null,
  -- Its last sign of life, by both clocks.
  seen_at text not null,
  seen_mono_ms real not null,
  -- Null until it signs off.
  stopped_at text
) strict, without rowid;

CREATE TABLE session (
  -- SHA-256 of the secret in the browser's cookie, which is kept nowhere: who reads the ledger can't log in with it.
  secret_hash blob primary key check (length(secret_hash) = 32),
  name text not null,
  -- As it was at the log-in; that of a user of registrar.yaml is asked anew each time.
  role text not null check (role in ('viewer', 'operator', 'auditor')),
  method text not null check (method in ('password', 'oidc')),
  -- By which a changed password is noticed, which ends the session. Null where nobody here knows it.
  stamp text check ((stamp is null) = (method <> 'password')),
  started_at text not null,
  -- Written at most once a minute.
  seen_at text not null,
  -- It ends then in any case.
  expires_at text not null
) strict, without rowid;

CREATE TABLE state_rule (
  from_state text not null,
  event text not null,
  to_state text not null,
  primary key (from_state, event)
) strict, without rowid;

CREATE TABLE submission (
  submission_id integer primary key,
  -- The row it was made from.
  drop_id integer not null references drop_file,
  line integer not null,
  -- The idempotency key, with the revision below. Learner, content, environment and the family of the operation are the slot, the
  -- unit of order.
  learner_id integer not null references learner,
  content_id integer not null references content,
  environment_id integer not null references environment,
  operation_id integer not null references operation,
  -- ISO time of the occurrence; empty where records of a slot are ordered by arrival.
  occurred_at text not null,
  revision integer not null check (revision >= 1),
  -- Salted hash of all that is sent: an equal digest under one key is a duplicate. Computed again before a record is sent.
  digest blob not null check (length(digest) = 8),
  -- JSON object of the fields that are sent and no column above holds. Personal; null once erased.
  record text,
  -- The decision that made it; null when staging did.
  decision_id integer references decision,
  state text not null check (
    state = 'waiting' or state = 'held' or state = 'sending' or state = 'accepted' or state = 'rejected'
    or state = 'failed' or state = 'in-doubt' or state = 'dismissed' or state = 'replaced'),
  -- Why the submission is in this state, by its last transition; null where the state says all. One of CAUSES in
  -- src/domain/cause.ts.
  cause text check (
    cause is null or cause = 'learner-unknown' or cause = 'out-of-order' or cause = 'amended' or cause = 'canary'
    or cause = 'restored' or cause = 'damaged' or cause = 'platform-refused' or cause = 'misdirected'
    or cause = 'rate-limited' or cause = 'platform-failed' or cause = 'platform-unusable' or cause = 'not-sent'
    or cause = 'no-answer' or cause = 'answer-unclear' or cause = 'owner-died' or cause = 'refused-together'
    or cause = 'refused-for-others' or cause = 'exists-already' or cause = 'learner-accepted' or cause = 'recheck'
    or cause = 'rerun' or cause = 'returned' or cause = 'dismiss' or cause = 'forgotten'
    or cause = 'newer-revision' or cause = 'corrected' or cause = 'mapped'),
  -- What the platform calls the cause: its error code, else the status. Null where the cause says all.
  platform_code text check (platform_code is null or cause is not null),
  -- Guards that the submission overrides: 'amended' where the source says so, 'all' once after a rerun; null: none.
  overrides text check (overrides in ('amended', 'all')),
  -- 1 for a submission that a person asked for, so that it isn't queued behind a million rows.
  priority integer not null default 0 check (priority in (0, 1)),
  -- Tries that ended in a passing fault since a person's decision last made it wait.
  tries integer not null default 0,
  -- Times it was sent again although the platform may have carried out an earlier request.
  repeats integer not null default 0,
  -- Resends after an answer that never came, since the same decision.
  resends integer not null default 0,
  -- Not before this time; null: at once.
  next_attempt_at text,
  -- How a waiting submission leaves next: 'alone', although its operation lets records share a request, or 'revive', which
  -- updates the existing record to match this one. Null: as its operation has it.
  next_delivery text check (next_delivery is null or state = 'waiting' and (next_delivery = 'alone' or next_delivery = 'revive')),
  -- What the platform already had when it accepted the record; null unless accepted.
  accepted_as text check (
    accepted_as is null or accepted_as = 'new' or accepted_as = 'existed' or accepted_as = 'revived'),
  -- The submission that replaced it.
  successor_id integer references submission,
  check ((state = 'accepted') = (accepted_as is not null)),
  -- A submission that needs a person has a cause.
  check (state = 'waiting' or state = 'accepted' or state = 'sending' or state = 'dismissed' or state = 'replaced'
    or cause is not null),
  check (state <> 'held'
    or cause = 'learner-unknown' or cause = 'out-of-order' or cause = 'amended' or cause = 'canary'
    or cause = 'restored' or cause = 'damaged'),
  check (state <> 'replaced' or successor_id is not null),
  -- Also finds the rows of a slot and of a learner.
  unique (learner_id, content_id, environment_id, operation_id, occurred_at, revision)
) strict;

CREATE VIEW submission_record as
select s.*, e.name as environment, o.name as operation,
  iif(s.learner_id = 0, null, l.hash) as learner_hash, l.type as learner_type, l.identifier as learner,
  c.hash as content_hash, c.type as content_type, c.identifier_type as content_identifier_type, c.identifier as content, c.part,
  c.title,
  iif(s.record is null, null, json_array(o.name, l.type, l.identifier, c.type, c.identifier_type, c.identifier, c.part,
    c.title, s.occurred_at, s.record)) as encoded_record
from submission s
left join environment e on e.environment_id = s.environment_id
left join operation o on o.operation_id = s.operation_id
left join learner l on l.learner_id = s.learner_id
left join content c on c.content_id = s.content_id;

CREATE TABLE suppression (
  -- As in learner, which need not have such a row.
  learner_hash blob primary key check (length(learner_hash) = 8),
  decision_id integer not null references decision
) strict;

CREATE TABLE transition (
  transition_id integer primary key,
  submission_id integer not null references submission,
  from_state text not null,
  event text not null,
  to_state text not null,
  -- The cause and platform_code as in submission, which keeps those of its last transition.
  cause text check (
    cause is null or cause = 'learner-unknown' or cause = 'out-of-order' or cause = 'amended' or cause = 'canary'
    or cause = 'restored' or cause = 'damaged' or cause = 'platform-refused' or cause = 'misdirected'
    or cause = 'rate-limited' or cause = 'platform-failed' or cause = 'platform-unusable' or cause = 'not-sent'
    or cause = 'no-answer' or cause = 'answer-unclear' or cause = 'owner-died' or cause = 'refused-together'
    or cause = 'refused-for-others' or cause = 'exists-already' or cause = 'learner-accepted' or cause = 'recheck'
    or cause = 'rerun' or cause = 'returned' or cause = 'dismiss' or cause = 'forgotten'
    or cause = 'newer-revision' or cause = 'corrected' or cause = 'mapped'),
  platform_code text check (platform_code is null or cause is not null),
  -- The platform's or the system's words for people; never personal, and no code reads them.
  reason text,
  at text not null,
  run_id integer references run,
  attempt_id integer references attempt,
  decision_id integer references decision
) strict;

CREATE UNIQUE INDEX alert_open on alert (kind, subject, code) where closed_at is null;

CREATE TRIGGER alteration_erase before update on alteration
when new.sent is not null or new.returned is not null or not exists (
  select 1 from decision where kind in ('forget', 'purge') and finished_at is null)
begin select raise(abort, 'alteration: text is cleared by an erasure only'); end;

CREATE TRIGGER alteration_stay before delete on alteration
begin select raise(abort, 'alteration: append-only'); end;

CREATE UNIQUE INDEX api_token_name on api_token (name) where revoked_at is null;

CREATE INDEX arrival_drop on arrival (drop_id);

CREATE TRIGGER arrival_keep before update on arrival begin select raise(abort, 'arrival: append-only'); end;

CREATE INDEX arrival_run on arrival (run_id);

CREATE TRIGGER arrival_stay before delete on arrival
when (select state from drop_file where drop_id = old.drop_id) is not 'staging'
begin select raise(abort, 'arrival: append-only'); end;

CREATE TRIGGER attempt_keep before update on attempt begin select raise(abort, 'attempt: append-only'); end;

CREATE INDEX attempt_run on attempt (run_id, environment);

CREATE TRIGGER attempt_stay before delete on attempt begin select raise(abort, 'attempt: append-only'); end;

CREATE TRIGGER attempt_submission_keep before update on attempt_submission
begin select raise(abort, 'attempt_submission: append-only'); end;

CREATE TRIGGER attempt_submission_stay before delete on attempt_submission
begin select raise(abort, 'attempt_submission: append-only'); end;

CREATE INDEX attempt_submission_submission on attempt_submission (submission_id);

CREATE TRIGGER audit_event_append_only before update on audit_event
begin select raise(abort, 'audit_event: append-only'); end;

CREATE INDEX audit_event_at on audit_event (at);

CREATE INDEX audit_event_file on audit_event (source, sha256) where kind = 'upload';

CREATE INDEX audit_event_subject on audit_event (kind, subject, event_id) where subject is not null;

CREATE INDEX canary_to_hold on canary (environment) where stopped_at is not null and held_at is null;

CREATE TRIGGER changed_file_keep before update on changed_file
begin select raise(abort, 'changed_file: append-only'); end;

CREATE INDEX changed_file_run on changed_file (run_id);

CREATE TRIGGER changed_file_stay before delete on changed_file
begin select raise(abort, 'changed_file: append-only'); end;

CREATE INDEX contained_file_bytes on contained_file (source, sha256);

CREATE INDEX content_identifier on content (identifier);

CREATE TRIGGER content_keep before update of content_id, hash, type, identifier_type, identifier, part on content
begin select raise(abort, 'content: submissions are of it'); end;

CREATE TRIGGER content_stay before delete on content begin select raise(abort, 'content: append-only'); end;

CREATE TRIGGER corrected_row_erase before update of cells on corrected_row
when (new.cells is not null and (
    json_array_length(new.cells) is not json_array_length(old.cells) or exists (
      select 1 from json_each(new.cells) n where n.type <> 'null' and (n.type, n.value) is not (
        select o.type, o.value from json_each(old.cells) o where o.key = n.key))))
  or not exists (select 1 from decision where kind in ('forget', 'purge') and finished_at is null)
begin select raise(abort, 'corrected_row: cells are cleared by an erasure only'); end;

CREATE TRIGGER corrected_row_keep before update of decision_id, drop_id, line, outcome on corrected_row
when (new.decision_id, new.drop_id, new.line) is not (old.decision_id, old.drop_id, old.line) or old.outcome is not null
begin select raise(abort, 'corrected_row: append-only'); end;

CREATE INDEX corrected_row_of on corrected_row (drop_id, line, decision_id);

CREATE TRIGGER corrected_row_stay before delete on corrected_row
begin select raise(abort, 'corrected_row: append-only'); end;

CREATE TRIGGER correction_issue_erase before update on correction_issue
when new.value is not null or new.message is not null or not exists (
  select 1 from decision where kind in ('forget', 'purge') and finished_at is null)
begin select raise(abort, 'correction_issue: text is cleared by an erasure only'); end;

CREATE TRIGGER correction_issue_stay before delete on correction_issue
begin select raise(abort, 'correction_issue: append-only'); end;

CREATE TRIGGER decision_forgotten before update of finished_at on decision
when new.finished_at is not null and exists (select 1 from forget_identifier where decision_id = new.decision_id)
begin select raise(abort, 'decision: a forget ends when the identifiers that it looked for are gone'); end;

CREATE TRIGGER decision_keep before update of decision_id, kind, who, door, because, selection, made_at,
  last_transition_id on decision
begin select raise(abort, 'decision: append-only'); end;

CREATE INDEX decision_request on decision (request) where request is not null;

CREATE TRIGGER decision_stay before delete on decision begin select raise(abort, 'decision: append-only'); end;

CREATE INDEX decision_submission_submission on decision_submission (submission_id);

CREATE INDEX drop_file_bytes on drop_file (sha256);

CREATE INDEX drop_file_list on drop_file (taken_at, source, file_name, state, rows_read);

CREATE INDEX drop_file_published on drop_file (source, operation, published_at, drop_id) where state = 'published';

CREATE TRIGGER drop_file_published before update on drop_file when old.state = 'published'
begin select raise(abort, 'drop_file: published is final'); end;

CREATE INDEX drop_file_run on drop_file (run_id);

CREATE UNIQUE INDEX drop_file_staging on drop_file (source) where state = 'staging';

CREATE TRIGGER drop_file_stay before delete on drop_file when old.state <> 'staging'
begin select raise(abort, 'drop_file: append-only'); end;

CREATE INDEX drop_file_sums on drop_file (source, environment, staged, duplicate, amended, invalid, skipped, non_data, blank,
  further) where state = 'published';

CREATE TRIGGER environment_keep before update on environment
begin select raise(abort, 'environment: submissions are of it'); end;

CREATE TRIGGER forget_identifier_keep before update on forget_identifier
begin select raise(abort, 'forget_identifier: cleared, never rewritten'); end;

CREATE TRIGGER forget_identifier_open before insert on forget_identifier
when not exists (
  select 1 from decision where decision_id = new.decision_id and kind = 'forget' and finished_at is null)
begin select raise(abort, 'forget_identifier: kept only while a forget is carried out'); end;

CREATE INDEX idempotent_response_at on idempotent_response (answered_at);

CREATE TRIGGER issue_erase before update on issue
when new.value is not null or new.message is not null or not exists (
  select 1 from decision where kind in ('forget', 'purge') and finished_at is null)
begin select raise(abort, 'issue: text is cleared by an erasure only'); end;

CREATE TRIGGER issue_stay before delete on issue
when (select state from drop_file where drop_id = old.drop_id) <> 'staging'
begin select raise(abort, 'issue: its row counts'); end;

CREATE INDEX job_slot_open on job_slot (job, slot_at) where ended_at is null;

CREATE TRIGGER learner_erase before update of identifier on learner
when new.identifier is not old.identifier and old.identifier is not null and (new.identifier is not null or not exists (
  select 1 from decision where kind in ('forget', 'purge') and finished_at is null))
begin select raise(abort, 'learner: an identifier is cleared by an erasure only'); end;

CREATE TRIGGER learner_keep before update of learner_id, hash, type on learner
begin select raise(abort, 'learner: submissions are of it'); end;

CREATE TRIGGER learner_stay before delete on learner begin select raise(abort, 'learner: append-only'); end;

CREATE INDEX notification_due on notification (channel, due_at) where sent_at is null;

CREATE INDEX open_item_cause on open_item (cause, code, drop_id, line, submission_id);

CREATE TRIGGER operation_keep before update on operation
begin select raise(abort, 'operation: submissions are of it'); end;

CREATE UNIQUE INDEX outage_open on outage (environment, ifnull(operation, '')) where ended_at is null;

CREATE INDEX outage_run_run on outage_run (run_id);

CREATE INDEX permit_client on permit (client, free_mono_ms);

CREATE TRIGGER resolution_keep before update on resolution
begin select raise(abort, 'resolution: append-only'); end;

CREATE TRIGGER resolution_stay before delete on resolution
begin select raise(abort, 'resolution: append-only'); end;

CREATE INDEX response_error on response (error_id) where error_id is not null;

CREATE UNIQUE INDEX response_first on response (attempt_id) where late = 0;

CREATE TRIGGER response_keep before update on response begin select raise(abort, 'response: append-only'); end;

CREATE INDEX response_late on response (attempt_id) where late = 1;

CREATE INDEX response_status on response (status, outcome, attempt_id) where late = 0;

CREATE TRIGGER response_stay before delete on response begin select raise(abort, 'response: append-only'); end;

CREATE TRIGGER response_text_erase before update on response_text
when new.body is not null or new.detail is not null or new.source is not null or not exists (
  select 1 from decision where kind in ('forget', 'purge') and finished_at is null)
begin select raise(abort, 'response_text: text is cleared by an erasure only'); end;

CREATE TRIGGER response_text_stay before delete on response_text
begin select raise(abort, 'response_text: append-only'); end;

CREATE INDEX result_open on result (drop_id) where delivered_at is null;

CREATE INDEX returned_file_bytes on returned_file (sha256);

CREATE TRIGGER returned_file_keep before update on returned_file
begin select raise(abort, 'returned_file: append-only'); end;

CREATE INDEX returned_file_run on returned_file (run_id);

CREATE TRIGGER returned_file_stay before delete on returned_file
begin select raise(abort, 'returned_file: append-only'); end;

CREATE INDEX row_duplicate on row (submission_id) where disposition = 'duplicate';

CREATE TRIGGER row_erase before update of cells, stray_quotes on row
when (new.stray_quotes is not null and new.stray_quotes is not old.stray_quotes)
  or (new.cells is not null and (
    json_array_length(new.cells) is not json_array_length(old.cells) or exists (
      select 1 from json_each(new.cells) n where n.type <> 'null' and (n.type, n.value) is not (
        select o.type, o.value from json_each(old.cells) o where o.key = n.key))))
  or not exists (select 1 from decision where kind in ('forget', 'purge') and finished_at is null)
begin select raise(abort, 'row: cells are cleared by an erasure only'); end;

CREATE TRIGGER row_keep before update of drop_id, line, disposition, submission_id, lines on row
when (select state from drop_file where drop_id = old.drop_id) is not 'staging'
begin select raise(abort, 'row: a disposition never changes'); end;

CREATE TRIGGER row_stay before delete on row
when (select state from drop_file where drop_id = old.drop_id) <> 'staging'
begin select raise(abort, 'row: it counts'); end;

CREATE INDEX row_unsent on row (drop_id, line, disposition) where disposition = 'invalid' or disposition = 'skipped';

CREATE TRIGGER row_part_keep before update on row_part begin select raise(abort, 'row_part: it counts'); end;

CREATE TRIGGER row_part_stay before delete on row_part
when (select state from drop_file where drop_id = old.drop_id) <> 'staging'
begin select raise(abort, 'row_part: it counts'); end;

CREATE INDEX run_adopted on run (adopted_by) where adopted_by is not null;

CREATE INDEX run_open on run (run_id) where ended_at is null;

CREATE INDEX session_expires on session (expires_at);

CREATE INDEX submission_accepted on submission (drop_id) where state = 'accepted';

CREATE INDEX submission_attention on submission (state, cause, platform_code, drop_id, line)
  where state = 'rejected' or state = 'failed' or state = 'in-doubt' or state = 'held' or state = 'dismissed'
    or state = 'replaced';

CREATE TRIGGER submission_erase before update of record on submission
when new.record is not null or not exists (
  select 1 from decision where kind in ('forget', 'purge') and finished_at is null)
begin select raise(abort, 'submission: a record is cleared by an erasure only'); end;

CREATE TRIGGER submission_keep before update of
  submission_id, drop_id, line, learner_id, content_id, environment_id, operation_id, occurred_at, revision, digest, decision_id
  on submission
begin select raise(abort, 'submission: what it is never changes'); end;

CREATE INDEX submission_rare on submission (drop_id, decision_id) where revision > 1 or repeats > 0 or decision_id is not null
  or accepted_as = 'existed' or accepted_as = 'revived';

CREATE INDEX submission_row on submission (drop_id, line);

CREATE INDEX submission_sending on submission (environment_id) where state = 'sending';

CREATE TRIGGER submission_state before update of state, cause, platform_code on submission
when (new.state, new.cause, new.platform_code) is not (old.state, old.cause, old.platform_code) and not exists (
  select 1 from transition
  where transition_id = (select max(transition_id) from transition where submission_id = old.submission_id)
    and from_state = old.state and to_state = new.state and cause is new.cause and platform_code is new.platform_code)
begin
  select raise(abort, 'submission: a change of state without its transition');
end;

CREATE TRIGGER submission_stay before delete on submission
when (select state from drop_file where drop_id = old.drop_id) <> 'staging'
begin select raise(abort, 'submission: it counts'); end;

CREATE INDEX submission_successor on submission (successor_id) where successor_id is not null;

CREATE INDEX submission_waiting on submission (environment_id, priority, drop_id, line) where state = 'waiting';

CREATE TRIGGER transition_keep before update on transition begin select raise(abort, 'transition: append-only'); end;

CREATE TRIGGER transition_rule before insert on transition
when not exists (select 1 from state_rule
  where from_state = new.from_state and event = new.event and to_state = new.to_state)
begin
  select raise(abort, 'transition: no such rule');
end;

CREATE INDEX transition_run on transition (run_id);

CREATE TRIGGER transition_stay before delete on transition begin select raise(abort, 'transition: append-only'); end;

CREATE INDEX transition_submission on transition (submission_id);

analyze sqlite_schema;

insert into learner values (0, x'0000000000000000', '', null);
insert into state_rule values ('dismissed', 'accepted', 'accepted');
insert into state_rule values ('dismissed', 'replaced', 'replaced');
insert into state_rule values ('failed', 'accepted', 'accepted');
insert into state_rule values ('failed', 'dismissed', 'dismissed');
insert into state_rule values ('failed', 'replaced', 'replaced');
insert into state_rule values ('failed', 'rerun', 'waiting');
insert into state_rule values ('held', 'accepted', 'accepted');
insert into state_rule values ('held', 'dismissed', 'dismissed');
insert into state_rule values ('held', 'released', 'waiting');
insert into state_rule values ('held', 'replaced', 'replaced');
insert into state_rule values ('held', 'rerun', 'waiting');
insert into state_rule values ('in-doubt', 'accepted', 'accepted');
insert into state_rule values ('in-doubt', 'dismissed', 'dismissed');
insert into state_rule values ('in-doubt', 'replaced', 'replaced');
insert into state_rule values ('in-doubt', 'rerun', 'waiting');
insert into state_rule values ('rejected', 'accepted', 'accepted');
insert into state_rule values ('rejected', 'dismissed', 'dismissed');
insert into state_rule values ('rejected', 'released', 'waiting');
insert into state_rule values ('rejected', 'replaced', 'replaced');
insert into state_rule values ('rejected', 'rerun', 'waiting');
insert into state_rule values ('replaced', 'accepted', 'accepted');
insert into state_rule values ('replaced', 'dismissed', 'dismissed');
insert into state_rule values ('replaced', 'replaced', 'replaced');
insert into state_rule values ('sending', 'accepted', 'accepted');
insert into state_rule values ('sending', 'doubted', 'in-doubt');
insert into state_rule values ('sending', 'exhausted', 'failed');
insert into state_rule values ('sending', 'rejected', 'rejected');
insert into state_rule values ('sending', 'resent', 'waiting');
insert into state_rule values ('sending', 'retried', 'waiting');
insert into state_rule values ('sending', 'stopped', 'waiting');
insert into state_rule values ('sending', 'throttled', 'waiting');
insert into state_rule values ('staged', 'admitted', 'waiting');
insert into state_rule values ('staged', 'guarded', 'held');
insert into state_rule values ('waiting', 'accepted', 'accepted');
insert into state_rule values ('waiting', 'claimed', 'sending');
insert into state_rule values ('waiting', 'dismissed', 'dismissed');
insert into state_rule values ('waiting', 'guarded', 'held');
insert into state_rule values ('waiting', 'replaced', 'replaced');
insert into sqlite_stat1 values ('submission', 'sqlite_autoindex_submission_1', '1000000 10 2 2 2 1 1');
insert into sqlite_stat1 values ('submission', 'submission_row', '1000000 10000 1');
insert into sqlite_stat1 values ('submission', 'submission_accepted', '900000 9000');
insert into sqlite_stat1 values ('submission', 'submission_waiting', '500000 250000 250000');
insert into sqlite_stat1 values ('submission', 'submission_sending', '100 50');
insert into sqlite_stat1 values ('submission', 'submission_attention', '100000 20000 5000 2000 100 1');
insert into sqlite_stat1 values ('submission', 'submission_rare', '1000 100 10');
insert into sqlite_stat1 values ('submission', 'submission_successor', '1000 1');
insert into sqlite_stat1 values ('row', 'row', '1000000 10000 1');
insert into sqlite_stat1 values ('row', 'row_duplicate', '1000000 1');
insert into sqlite_stat1 values ('learner', 'sqlite_autoindex_learner_1', '100000 1');
insert into sqlite_stat1 values ('content', 'sqlite_autoindex_content_1', '1000 1');
insert into sqlite_stat1 values ('content', 'content_identifier', '1000 1');

analyze sqlite_schema;
