import type { Generated } from 'kysely';
import type { Role } from '../../domain/access/role.js';
import type { AlertKind, NotificationEvent } from '../../domain/alerts/alert.js';
import type { AcceptedAs, Cause, NextDelivery } from '../../domain/cause.js';
import type { Door, EventKind } from '../../domain/decider.js';
import type { FaultCode, PlacedFault } from '../../domain/environment/fault.js';
import type { OutcomeKind } from '../../domain/outcome.js';
import type { SlotEnding } from '../../domain/process/job.js';
import type { RunEnd, RunTrigger } from '../../domain/process/run.js';
import type { State, SubmissionEvent } from '../../domain/submission.js';
import type { AlterationKind } from '../../domain/text/alteration.js';
import type { DropTables } from './drop-tables.js';

/** The ledger's tables for Kysely; `migrations/` documents each column. */
interface Submission {
  submission_id: Generated<number>;
  drop_id: number;
  line: number;
  learner_id: number;
  content_id: number;
  environment_id: number;
  operation_id: number;
  occurred_at: string;
  revision: number;
  digest: Buffer;
  record: string | null;
  decision_id: number | null;
  state: State;
  cause: Cause | null;
  platform_code: string | null;
  overrides: 'amended' | 'all' | null;
  priority: Generated<number>;
  tries: Generated<number>;
  repeats: Generated<number>;
  resends: Generated<number>;
  next_attempt_at: string | null;
  next_delivery: NextDelivery | null;
  accepted_as: AcceptedAs | null;
  successor_id: number | null;
}

export interface Tables extends DropTables {
  ledger: {
    ledger_id: number;
    salt: string;
    created_at: string;
    successor: Generated<0 | 1>;
    foreign_drop_max: Generated<number>;
  };
  pinned_setting: {
    source: string;
    name: string;
    value: string;
    pinned_at: string;
    decision_id: number | null;
  };
  run: {
    run_id: Generated<number>;
    trigger: RunTrigger;
    version: string;
    pid: number;
    pid_started: string | null;
    host: string;
    boot: string;
    started_at: string;
    ended_at: string | null;
    ending: RunEnd | null;
    adopted_by: number | null;
  };
  environment: { environment_id: Generated<number>; name: string };
  operation: { operation_id: Generated<number>; name: string };
  learner: { learner_id: Generated<number>; hash: Buffer; type: string; identifier: string | null };
  content: {
    content_id: Generated<number>;
    hash: Buffer;
    type: string;
    identifier_type: string | null;
    identifier: string;
    part: string | null;
    title: string | null;
  };
  submission: Submission;
  open_item: {
    drop_id: number;
    line: number;
    submission_id: number;
    environment_id: number;
    learner_id: number;
    state: State | 'invalid';
    cause: string;
    code: string;
  };
  counter: {
    drop_id: number;
    environment_id: number;
    state: State | 'invalid';
    cause: string;
    code: string;
    count: number;
  };
  submission_record: Submission & {
    environment: string;
    operation: string;
    learner_hash: Buffer | null;
    learner_type: string;
    learner: string | null;
    content_hash: Buffer;
    content: string;
    part: string | null;
    title: string | null;
    encoded_record: string | null;
  };
  alteration: {
    attempt_id: number;
    submission_id: number;
    field: string;
    kind: AlterationKind;
    sent: string | null;
    returned: string | null;
  };
  row_part: { drop_id: number; line: number; part: number; submission_id: number };
  transition: {
    transition_id: Generated<number>;
    submission_id: number;
    from_state: State;
    event: SubmissionEvent;
    to_state: State;
    cause: Cause | null;
    platform_code: string | null;
    reason: string | null;
    at: string;
    run_id: number | null;
    attempt_id: number | null;
    decision_id: number | null;
  };
  attempt: {
    attempt_id: Generated<number>;
    run_id: number;
    environment: string;
    operation: string;
    lease_fence: number;
    started_at: string;
  };
  attempt_open: { attempt_id: number; environment: string };
  attempt_submission: { attempt_id: number; submission_id: number };
  response: {
    response_id: Generated<number>;
    attempt_id: number;
    late: number;
    outcome: OutcomeKind;
    reason: string | null;
    status: number | null;
    failure: string | null;
    error_id: string | null;
    error_code: string | null;
    error_title: string | null;
    platform_id: string | null;
    body_state: 'complete' | 'incomplete' | 'capped' | null;
    headers: string | null;
    received_at: string;
    duration_ms: number;
  };
  answer_counter: { environment: string; outcome: OutcomeKind; count: number };
  response_text: { response_id: number; body: string | null; detail: string | null; source: string | null };
  quota_client: {
    client: string;
    boot: string;
    next_start_mono_ms: number;
    paused_until_mono_ms: number;
    probe_permit_id: number | null;
  };
  canary: {
    drop_id: number;
    environment: string;
    answered: number;
    refused: number;
    stopped_at: string | null;
    held_at: string | null;
  };
  notice: {
    run_id: number;
    environment: string;
    code: string;
    detail: string;
    count: number;
    first_at: string;
    last_at: string;
  };
  service: {
    owner: string;
    pid: number;
    pid_started: string | null;
    host: string;
    boot: string;
    started_at: string;
    seen_at: string;
    seen_mono_ms: number;
    stopped_at: string | null;
  };
  inbox: { source: string; file_system: string };
  job: { job: string; since_at: string };
  job_slot: {
    job: string;
    slot_at: string;
    since_at: string;
    missed: number;
    tries: number;
    started_at: string;
    ended_at: string | null;
    ending: SlotEnding | null;
  };
  outage: {
    outage_id: Generated<number>;
    environment: string;
    operation: string | null;
    since_at: string;
    ended_at: string | null;
  };
  outage_run: {
    outage_id: number;
    run_id: number;
    at: string;
    code: FaultCode;
    message: string;
    host: PlacedFault['host'];
    address: string;
  };
  permit: {
    permit_id: Generated<number>;
    client: string;
    boot: string;
    purpose: 'token' | 'push' | 'rerun';
    recipient: string;
    taken_mono_ms: number;
    free_mono_ms: number;
    answered: Generated<0 | 1>;
  };
  lease: {
    name: string;
    fence: number;
    owner: string | null;
    pid: number | null;
    pid_started: string | null;
    host: string | null;
    boot: string | null;
    run_id: number | null;
    heartbeat_mono_ms: number | null;
    expires_mono_ms: number | null;
  };
  learner_hold: {
    environment: string;
    learner_id: number;
    since_at: string;
    checked_at: string;
    rechecks: Generated<number>;
    submission_id: number;
    probe_id: number | null;
  };
  correction: { old_learner_id: number; new_learner_id: number; decision_id: number };
  suppression: { learner_hash: Buffer; decision_id: number };
  decision: {
    decision_id: Generated<number>;
    kind: 'rerun' | 'dismiss' | 'map' | 'restage' | 'correct' | 'forget' | 'purge' | 'confirm' | 'restore';
    who: string;
    door: Door;
    because: string | null;
    selection: string;
    made_at: string;
    finished_at: string | null;
    result: string | null;
    last_transition_id: number | null;
    request: Buffer | null;
  };
  forget_identifier: { decision_id: number; identifier: string };
  decision_submission: { decision_id: number; submission_id: number };
  alert: {
    alert_id: Generated<number>;
    kind: AlertKind;
    subject: string;
    code: string;
    opened_at: string;
    last_seen_at: string;
    over_at: string | null;
    closed_at: string | null;
    facts: string;
  };
  notification: {
    notification_id: Generated<number>;
    alert_id: number;
    channel: string;
    what: NotificationEvent;
    due_at: string;
    claimed_boot: string | null;
    claimed_until_mono_ms: number | null;
    sent_at: string | null;
    failed_at: string | null;
    tries: Generated<number>;
    error: string | null;
  };
  session: {
    secret_hash: Buffer;
    name: string;
    role: Role;
    method: 'password' | 'oidc';
    stamp: string | null;
    started_at: string;
    seen_at: string;
    expires_at: string;
  };
  audit_event: {
    event_id: Generated<number>;
    kind: EventKind;
    who: string;
    door: Door;
    at: string;
    source: string | null;
    file_name: string | null;
    sha256: string | null;
    subject: string | null;
    value: string | null;
    about: string | null;
  };
  api_token: {
    secret_hash: Buffer;
    name: string;
    role: Role;
    added_at: string;
    added_by: string;
    added_door: Door;
    last_used_at: string | null;
    expires_at: string | null;
    revoked_at: string | null;
    revoked_by: string | null;
    revoked_door: Door | null;
  };
  idempotent_response: {
    key_hash: Buffer;
    request_hash: Buffer;
    status: number;
    document: string;
    answered_at: string;
  };
  books_attempt: { attempt_id: number; run_id: number; environment: string; answered: number };
}
