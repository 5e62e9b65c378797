import type { Generated } from 'kysely';
import type { Role } from '../../domain/access/role.js';
import type { AlertKind, NotificationEvent } from '../../domain/alerts/alert.js';
import type { AcceptedAs, Cause, NextDelivery } from '../../domain/cause.js';
import type { Door, EventKind } from '../../domain/decider.js';
import type { RowOutcome } from '../../domain/delivery/correction.js';
import type { DropFormat, DropState } from '../../domain/drop.js';
import type { FaultCode, PlacedFault } from '../../domain/environment/fault.js';
import type { IssueCode, Refusal } from '../../domain/issue.js';
import type { OutcomeKind } from '../../domain/outcome.js';
import type { SlotEnding } from '../../domain/process/job.js';
import type { RunEnd, RunTrigger } from '../../domain/process/run.js';
import type { Disposition } from '../../domain/row.js';
import type { State, SubmissionEvent } from '../../domain/submission.js';
import type { AlterationKind } from '../../domain/text/alteration.js';

/** The ledger's tables for Kysely, their columns by type; `migrations/` documents each column. */
export interface Tables {
  ledger: Record<'salt' | 'created_at', string> & {
    ledger_id: number;
    successor: Generated<0 | 1>;
    strange_drop: Generated<number>;
  };
  pinned_setting: Record<'source' | 'name' | 'value' | 'pinned_at', string> & { decision_id: number | null };
  run: Record<'version' | 'host' | 'boot' | 'started_at', string> &
    Record<'pid_started' | 'ended_at', string | null> & {
      run_id: Generated<number>;
      trigger: RunTrigger;
      pid: number;
      ending: RunEnd | null;
      adopted_by: number | null;
    };
  environment: { environment_id: Generated<number>; name: string };
  operation: { operation_id: Generated<number>; name: string };
  learner: { learner_id: Generated<number>; hash: Buffer; type: string; identifier: string | null };
  content: Record<'type' | 'identifier', string> &
    Record<'identifier_type' | 'part' | 'title', string | null> & {
      content_id: Generated<number>;
      hash: Buffer;
    };
  submission: Submission;
  open_item: Record<'drop_id' | 'line' | 'submission_id' | 'environment_id' | 'learner_id', number> &
    Record<'cause' | 'code', string> & { state: State | 'invalid' };
  counter: Record<'drop_id' | 'environment_id' | 'count', number> &
    Record<'cause' | 'code', string> & { state: State | 'invalid' };
  submission_record: Submission &
    Record<'environment' | 'operation' | 'learner_type' | 'content', string> &
    Record<'learner' | 'part' | 'title' | 'encoded_record', string | null> & {
      learner_hash: Buffer | null;
      content_hash: Buffer;
    };
  alteration: Record<'attempt_id' | 'submission_id', number> &
    Record<'sent' | 'returned', string | null> & { field: string; kind: AlterationKind };
  row_part: { drop_id: number; line: number; part: number; submission_id: number };
  transition: Record<'from_state' | 'to_state', State> &
    Record<'platform_code' | 'words', string | null> &
    Record<'run_id' | 'attempt_id' | 'decision_id', number | null> & {
      transition_id: Generated<number>;
      submission_id: number;
      event: SubmissionEvent;
      cause: Cause | null;
      at: string;
    };
  attempt: Record<'run_id' | 'lease_fence', number> &
    Record<'environment' | 'operation' | 'started_at', string> & { attempt_id: Generated<number> };
  attempt_open: { attempt_id: number; environment: string };
  attempt_submission: { attempt_id: number; submission_id: number };
  response: Record<'attempt_id' | 'late' | 'duration_ms', number> &
    Record<
      'reason' | 'failure' | 'error_id' | 'error_code' | 'error_title' | 'platform_id' | 'headers',
      string | null
    > & {
      response_id: Generated<number>;
      outcome: OutcomeKind;
      status: number | null;
      body_state: 'complete' | 'incomplete' | 'capped' | null;
      received_at: string;
    };
  answer_counter: { environment: string; outcome: OutcomeKind; count: number };
  response_text: { response_id: number; body: string | null; detail: string | null; source: string | null };
  quota_client: Record<'client' | 'boot', string> &
    Record<'next_start_mono_ms' | 'paused_until_mono_ms', number> & { probe_permit_id: number | null };
  canary: Record<'drop_id' | 'answered' | 'refused', number> &
    Record<'stopped_at' | 'held_at', string | null> & { environment: string };
  notice: Record<'run_id' | 'count', number> &
    Record<'environment' | 'code' | 'detail' | 'first_at' | 'last_at', string>;
  service: Record<'owner' | 'host' | 'boot' | 'started_at' | 'seen_at', string> &
    Record<'pid' | 'seen_mono_ms', number> &
    Record<'pid_started' | 'stopped_at', string | null>;
  inbox: { source: string; file_system: string };
  job: { job: string; since_at: string };
  job_slot: Record<'job' | 'slot_at' | 'since_at' | 'began_at', string> &
    Record<'missed' | 'tries', number> & { ended_at: string | null; ending: SlotEnding | null };
  outage: Record<'environment' | 'since_at', string> &
    Record<'operation' | 'ended_at', string | null> & { outage_id: Generated<number> };
  outage_run: Record<'outage_id' | 'run_id', number> &
    Record<'at' | 'said' | 'address', string> & { code: FaultCode; host: PlacedFault['host'] };
  permit: Record<'client' | 'boot' | 'asked', string> &
    Record<'taken_mono_ms' | 'free_mono_ms', number> & {
      permit_id: Generated<number>;
      purpose: 'token' | 'push' | 'rerun';
      answered: Generated<0 | 1>;
    };
  lease: Record<'owner' | 'pid_started' | 'host' | 'boot', string | null> &
    Record<'pid' | 'run_id' | 'heartbeat_mono_ms' | 'expires_mono_ms', number | null> & {
      name: string;
      fence: number;
    };
  learner_hold: Record<'environment' | 'since_at' | 'asked_at', string> &
    Record<'learner_id' | 'submission_id', number> & { rechecks: Generated<number>; probe_id: number | null };
  correction: { old_learner_id: number; new_learner_id: number; decision_id: number };
  suppression: { learner_hash: Buffer; decision_id: number };
  decision: Record<'who' | 'selection' | 'made_at', string> &
    Record<'because' | 'finished_at' | 'result', string | null> & {
      decision_id: Generated<number>;
      kind: 'rerun' | 'dismiss' | 'map' | 'restage' | 'correct' | 'forget' | 'purge' | 'confirm' | 'restore';
      door: Door;
      last_transition_id: number | null;
      request: Buffer | null;
    };
  forget_identifier: { decision_id: number; identifier: string };
  decision_submission: { decision_id: number; submission_id: number };
  alert: Record<'subject' | 'code' | 'opened_at' | 'last_seen_at' | 'facts', string> &
    Record<'over_at' | 'closed_at', string | null> & { alert_id: Generated<number>; kind: AlertKind };
  notification: Record<'notification_id' | 'tries', Generated<number>> &
    Record<'channel' | 'due_at', string> &
    Record<'claimed_boot' | 'sent_at' | 'failed_at' | 'error', string | null> & {
      alert_id: number;
      what: NotificationEvent;
      claimed_until_mono_ms: number | null;
    };
  session: Record<'name' | 'started_at' | 'seen_at' | 'expires_at', string> & {
    secret_hash: Buffer;
    role: Role;
    how: 'password' | 'oidc';
    stamp: string | null;
  };
  audit_event: Record<'who' | 'at', string> &
    Record<'source' | 'file_name' | 'sha256' | 'subject' | 'value' | 'about', string | null> & {
      event_id: Generated<number>;
      kind: EventKind;
      door: Door;
    };
  api_token: Record<'name' | 'added_at' | 'added_by', string> &
    Record<'last_used_at' | 'expires_at' | 'revoked_at' | 'revoked_by', string | null> & {
      secret_hash: Buffer;
      role: Role;
      added_door: Door;
      revoked_door: Door | null;
    };
  kept_answer: Record<'key_hash' | 'request_hash', Buffer> &
    Record<'document' | 'answered_at', string> & { status: number };
  books_attempt: { attempt_id: number; run_id: number; environment: string; answered: number };
  contained_file: { source: string; container_sha256: string; container_bytes: number; sha256: string };
  remote_file: Record<'source' | 'place' | 'name' | 'version' | 'sha256' | 'fetched_at', string> & {
    settled_at: string | null;
  };
  remote_inbox: Record<'source' | 'looked_at', string> &
    Record<'oldest_at' | 'away_since' | 'message' | 'remedy', string | null> & { waiting: number };
  result: Record<'delivered_at' | 'failed_at' | 'error', string | null> & {
    drop_id: number;
    due_at: string;
    tries: Generated<number>;
  };
  drop_file: Record<
    | 'drop_id'
    | 'staged_line'
    | 'hidden_rows'
    | 'staged'
    | 'duplicate'
    | 'amended'
    | 'invalid'
    | 'skipped'
    | 'non_data'
    | 'blank'
    | 'further',
    Generated<number>
  > &
    Record<'source' | 'sha256' | 'file_name' | 'operation' | 'environment' | 'taken_at', string> &
    Record<'bytes' | 'run_id', number> &
    Record<'sheet' | 'header' | 'mapping' | 'settings' | 'refusal' | 'published_at', string | null> &
    Record<'header_line' | 'rows_read', number | null> &
    Record<'sheets_left' | 'zones', Generated<string | null>> & {
      part: Generated<string>;
      format: DropFormat | null;
      state: DropState;
    };
  changed_file: { drop_id: number; run_id: number; noticed_at: string };
  refused_drop: {
    drop_id: number;
    taken_at: string;
    code: Refusal['code'];
    closed_at: string | null;
    decision_id: number | null;
  };
  arrival: Record<'drop_id' | 'run_id', number> &
    Record<'file_name' | 'arrived_at', string> & { arrival_id: Generated<number> };
  row: Record<'drop_id' | 'line', number> &
    Record<'cells' | 'stray_quotes', string | null> & {
      disposition: Disposition;
      submission_id: number | null;
      lines: Generated<number>;
    };
  issue: Record<'drop_id' | 'line' | 'ordinal', number> &
    Record<'column_name' | 'value' | 'message', string | null> & {
      code: IssueCode;
      remedy: string;
      decision_id: Generated<number | null>;
    };
  resolution: { drop_id: number; line: number; decision_id: number; submission_id: number | null };
  corrected_row: Record<'decision_id' | 'drop_id' | 'line', number> & {
    cells: string | null;
    outcome: RowOutcome | null;
  };
  returned_file: Record<'sha256' | 'file_name' | 'arrived_at', string> & {
    returned_file_id: Generated<number>;
    decision_id: number;
    run_id: number | null;
  };
  correction_issue: Record<'decision_id' | 'ordinal' | 'line', number> &
    Record<'sheet' | 'column_name' | 'value' | 'message', string | null> & {
      code: IssueCode;
      remedy: string;
    };
}

type Submission = Record<'submission_id' | 'priority' | 'tries' | 'repeats' | 'resends', Generated<number>> &
  Record<
    'drop_id' | 'line' | 'learner_id' | 'content_id' | 'environment_id' | 'operation_id' | 'revision',
    number
  > &
  Record<'record' | 'platform_code' | 'next_attempt_at', string | null> &
  Record<'decision_id' | 'successor_id', number | null> & {
    occurred_at: string;
    digest: Buffer;
    state: State;
    cause: Cause | null;
    overrides: 'amended' | 'all' | null;
    next_delivery: NextDelivery | null;
    accepted_as: AcceptedAs | null;
  };
