import type { EnvironmentConfig } from '../../src/config/schema.js';
import type { OutcomeKind } from '../../src/domain/outcome.js';
import { type Commit, type Facts, identityKey, recordKey, type SubmissionFact } from './ledger-facts.js';

/** Something that must hold whatever goes wrong, and what is asked to see whether it does. */
export interface Invariant<Seen> {
  /** What holds, as a sentence for people. */
  readonly sentence: string;
  /** What breaks it; null when nothing does. */
  readonly breach: (facts: Facts, seen: Seen) => string | null;
}

/** A request as it leaves its process. */
export interface Leaving {
  readonly environment: string;
  /** Attributes of its completion; null for a token request. */
  readonly attributes: unknown;
}

/** A request as it reaches a platform. */
export interface Arriving {
  readonly environment: string;
  readonly clientId: string;
  /** By the platforms' clock. */
  readonly atMs: number;
}

/** Asked after each commit. */
export const COMMIT_INVARIANTS: readonly Invariant<Commit>[] = [
  {
    sentence: 'Only the process that holds the lease of an environment makes attempts there.',
    breach: ownersAlone,
  },
  { sentence: 'All attempts under one token of a lease are made by one process.', breach: oneOwnerAToken },
  {
    sentence: 'Before a new owner of a lease makes an attempt, all that earlier owners left open is settled.',
    breach: nothingLeftOpen,
  },
  { sentence: 'A slot never has two requests under way.', breach: oneRequestASlot },
  { sentence: 'Rows of a drop count only once it is published.', breach: publishedAlone },
  {
    sentence: 'Of one slot, what waits goes in order: revisions, then times, then arrival.',
    breach: slotInOrder,
  },
  {
    sentence: 'A completion older than one accepted for its slot goes only when a person asked for it.',
    breach: nothingOlder,
  },
  {
    sentence:
      'A rerun delivers the rows it chose and what goes before them in their slots, and nothing else.',
    breach: chosenAlone,
  },
  { sentence: 'A revision never goes when there is a newer one.', breach: newestRevision },
  {
    sentence: 'A correction of what was accepted goes only where the source or a person says so.',
    breach: amendmentsHeld,
  },
  { sentence: 'A learner on hold gets no request but a probe.', breach: learnersOnHold },
  { sentence: 'Only a passing fault spends a try, and it spends one.', breach: triesSpent },
  { sentence: 'A row fails only when its tries are spent.', breach: failedLast },
  { sentence: 'While an environment is down, no row spends a try.', breach: outageSpendsNothing },
  {
    sentence: 'No row spends a try before the platform has given this run a sound answer.',
    breach: provenFirst,
  },
  { sentence: 'Of a drop whose first rows were refused, the rest stays.', breach: stoppedDropsStay },
  { sentence: 'Resends after answers that never came stay within their bound.', breach: resendsBound },
  {
    sentence:
      'Whichever runs send it, what may have been written is sent again within the bounds of its row.',
    breach: doubtfulBound,
  },
  { sentence: 'Where the policy says hold, silence is never followed by a resend.', breach: holdsInDoubt },
  {
    sentence: 'What is in doubt is so because its resends are spent, or because the policy says hold.',
    breach: doubtLast,
  },
  { sentence: 'What an answer means follows from its status.', breach: meaningOfStatus },
  { sentence: 'Once an accepted answer is kept, its row is accepted.', breach: acceptedCounts },
  {
    sentence: 'A learner whom an answer in time says the platform does not know is put on hold.',
    breach: unknownIsHeld,
  },
  { sentence: 'Once something about a learner is accepted, its hold is over.', breach: acceptedLifts },
  { sentence: 'No try is repeated before its wait is over.', breach: waitsKept },
  { sentence: 'A 5xx with Retry-After keeps its row back for so long.', breach: retryAfterKept },
  { sentence: 'A late answer changes a row only to accepted.', breach: lateAccepts },
  { sentence: 'What the ledger calls accepted was written by the platform.', breach: acceptedIsWritten },
  {
    sentence: 'While a 429 keeps a client id quiet, no request takes a place in its quota.',
    breach: quietMeansQuiet,
  },
  { sentence: 'The reserve of a quota is left to tokens and reruns.', breach: reserveKept },
  {
    sentence: 'After a pause one request goes first, and the others wait for what comes of it.',
    breach: oneProbe,
  },
];

/** Asked when a request leaves its process. */
export const LEAVING_INVARIANTS: readonly Invariant<Leaving>[] = [
  { sentence: 'What is accepted is never sent again.', breach: nothingAcceptedAgain },
  { sentence: 'What is sent is a row of the ledger that is being sent.', breach: sendingAlone },
  { sentence: 'Nothing leaves under a lease that has gone to another process.', breach: leaseStillHeld },
];

/** Asked when a request has reached a platform. */
export const ARRIVING_INVARIANTS: readonly Invariant<Arriving>[] = [
  {
    sentence: 'No window of a period sees more requests of a client id than its quota.',
    breach: withinQuota,
  },
];

/** A 401 as it comes back. */
export interface Refusal {
  readonly environment: string;
  /** Process and token. */
  readonly token: string;
}

/** Asked when a 401 has come. */
export const REFUSAL_INVARIANTS: readonly Invariant<Refusal>[] = [
  { sentence: 'A token that was refused is not used again.', breach: refusedTokenDropped },
];

/** A push that ended. */
export interface Ended {
  readonly environment: string;
  readonly runId: number;
  /** Why, where the environment couldn't be used. */
  readonly reason: string | null;
}

/** Asked when a push has ended. */
export const ENDED_INVARIANTS: readonly Invariant<Ended>[] = [
  {
    sentence: 'A platform is given up for answering nothing but 429 only when it has answered nothing else.',
    breach: throttledOnly,
  },
];

/** Asked at the end. */
export const BOOK_INVARIANTS: readonly Invariant<null>[] = [
  { sentence: 'Every answer that a living process got is kept.', breach: answersKept },
  { sentence: 'What was written more often than once is counted as repeated.', breach: repeatsCounted },
];

function ownersAlone({ sqlite }: Facts, { attempts, by }: Commit): string | null {
  return firstOf(attempts, ({ id, environment, leaseToken }) => {
    const lease = sqlite
      .prepare('select owner, token from lease where name = ?')
      .get(`push:${environment}`) as { owner: string | null; token: number } | undefined;
    return lease?.owner === by && lease.token === leaseToken
      ? null
      : `attempt ${id} of ${by} under token ${leaseToken}, the lease is ${lease?.owner}'s under ${lease?.token}`;
  });
}

function oneOwnerAToken(facts: Facts, { attempts, by }: Commit): string | null {
  return firstOf(attempts, ({ id, environment, leaseToken }) => {
    const token = `${environment} ${leaseToken}`;
    const owner = facts.tokenOwners.get(token) ?? by;
    facts.tokenOwners.set(token, owner);
    return owner === by ? null : `attempt ${id} of ${by} under token ${leaseToken}, which is ${owner}'s`;
  });
}

function nothingLeftOpen({ sqlite }: Facts, { attempts }: Commit): string | null {
  return firstOf(attempts, ({ id, environment, leaseToken }) => {
    const left = sqlite
      .prepare(
        `select o.attempt_id as id from attempt_open o join attempt a using (attempt_id)
         where o.environment = ? and a.lease_token < ?`,
      )
      .get(environment, leaseToken) as { id: number } | undefined;
    return left ? `attempt ${left.id} is still open when attempt ${id} begins` : null;
  });
}

function oneRequestASlot(facts: Facts, commit: Commit): string | null {
  return firstOf(claimed(facts, commit), (submission) => {
    const other = mates(facts, submission).find(({ state }) => state === 'sending');
    return other ? `${submission.id} begins while ${other.id} is under way` : null;
  });
}

function publishedAlone({ sqlite, submissions }: Facts, { transitions }: Commit): string | null {
  return firstOf(transitions, ({ submissionId, event }) => {
    const dropId = submissions.get(submissionId)?.dropId;
    const state = sqlite.prepare('select state from "drop" where drop_id = ?').pluck().get(dropId);
    return state === 'published' ? null : `${submissionId} is ${event} while its drop is ${state}`;
  });
}

function chosenAlone({ sqlite, submissions, slots, chosenBy }: Facts, { attempts }: Commit): string | null {
  return firstOf(attempts, ({ runId, submissionId }) => {
    const decisionId = chosenBy.get(runId);
    if (decisionId === undefined) return null;
    const slot = submissions.get(submissionId)?.slot ?? '';
    const isChosen = (slots.get(slot) ?? []).some(
      (id) =>
        sqlite
          .prepare('select 1 from decision_submission where decision_id = ? and submission_id = ?')
          .get(decisionId, id) !== undefined,
    );
    return isChosen ? null : `${submissionId} goes in run ${runId} of rerun ${decisionId}`;
  });
}

function slotInOrder(facts: Facts, commit: Commit): string | null {
  return firstOf(claimed(facts, commit), (submission) => {
    const earlier = mates(facts, submission).find(
      (mate) => mate.state === 'waiting' && isPublished(facts, mate) && comesBefore(mate, submission),
    );
    return earlier ? `${submission.id} goes before ${earlier.id}` : null;
  });
}

function comesBefore(a: SubmissionFact, b: SubmissionFact): boolean {
  if (a.key === b.key) return a.revision < b.revision;
  return a.occurredAt === b.occurredAt ? a.id < b.id : a.occurredAt < b.occurredAt;
}

function nothingOlder(facts: Facts, commit: Commit): string | null {
  return firstOf(claimed(facts, commit), (submission) => {
    if (submission.pass === 'all') return null;
    const newer = mates(facts, submission).find(
      (mate) => mate.state === 'accepted' && mate.occurredAt > submission.occurredAt,
    );
    return newer ? `${submission.id} goes after ${newer.id}, which is newer, was accepted` : null;
  });
}

function newestRevision(facts: Facts, commit: Commit): string | null {
  return firstOf(claimed(facts, commit), (submission) => {
    const newer = mates(facts, submission).find(
      (mate) =>
        mate.key === submission.key &&
        mate.revision > submission.revision &&
        mate.state !== 'dismissed' &&
        mate.state !== 'replaced' &&
        isPublished(facts, mate),
    );
    return newer ? `${submission.id} goes although ${newer.id} corrects it and is ${newer.state}` : null;
  });
}

function amendmentsHeld(facts: Facts, commit: Commit): string | null {
  return firstOf(claimed(facts, commit), (submission) => {
    if (submission.pass !== null) return null;
    const accepted = mates(facts, submission).find(
      (mate) => mate.key === submission.key && mate.state === 'accepted',
    );
    return accepted ? `${submission.id} corrects ${accepted.id}, which was accepted` : null;
  });
}

function learnersOnHold(facts: Facts, commit: Commit): string | null {
  return firstOf(claimed(facts, commit), (submission) => {
    if (submission.pass === 'all') return null;
    const hold = holdOf(facts, submission);
    return hold !== undefined && hold.probe_id !== submission.id
      ? `${submission.id} goes although its learner is on hold`
      : null;
  });
}

function triesSpent(facts: Facts, { transitions, responses, before }: Commit): string | null {
  return firstOf(transitions, ({ submissionId, event, attemptId }) => {
    // A person gives back all patience.
    if (event === 'rerun') return null;
    const was = before.get(submissionId)?.tries ?? 0;
    const is = facts.submissions.get(submissionId)?.tries ?? 0;
    const outcome = responses.find((response) => response.attemptId === attemptId)?.outcome;
    const spends = event === 'retried' || event === 'exhausted';
    if (spends && outcome !== 'transient')
      return `${submissionId} is ${event} by an answer that is ${outcome}`;
    return is === was + (spends ? 1 : 0) ? null : `${submissionId} is ${event}: ${is} tries after ${was}`;
  });
}

function failedLast(facts: Facts, { transitions }: Commit): string | null {
  return firstOf(transitions, ({ submissionId, event }) => {
    const submission = facts.submissions.get(submissionId);
    if (event !== 'exhausted' || !submission) return null;
    const most = facts.configs[submission.environment]?.retry.tries;
    return submission.tries === most
      ? null
      : `${submissionId} failed after ${submission.tries} tries of ${most}`;
  });
}

function outageSpendsNothing(facts: Facts, { transitions }: Commit): string | null {
  return firstOf(transitions, ({ submissionId, event, attemptId }) =>
    (event === 'retried' || event === 'exhausted') && facts.probes.has(attemptId ?? 0)
      ? `${submissionId} is ${event} by attempt ${attemptId}, which was a probe`
      : null,
  );
}

function provenFirst(facts: Facts, { transitions }: Commit): string | null {
  return firstOf(transitions, ({ submissionId, event, attemptId }) => {
    if (event !== 'retried' && event !== 'exhausted') return null;
    const attempt = facts.attempts.get(attemptId ?? 0);
    return facts.proven.has(`${attempt?.runId} ${attempt?.environment}`)
      ? null
      : `${submissionId} is ${event}, and the platform has answered nothing soundly yet`;
  });
}

function stoppedDropsStay(facts: Facts, commit: Commit): string | null {
  return firstOf(claimed(facts, commit), ({ id, dropId, priority }) => {
    const stopped = facts.sqlite
      .prepare('select 1 from canary where drop_id = ? and held_at is not null')
      .get(dropId);
    // What was held for its learner's sake goes with its learner.
    const released = facts.sqlite
      .prepare("select 1 from transition where submission_id = ? and event = 'released'")
      .get(id);
    return stopped && !released && priority === 0
      ? `${id} goes although its drop ${dropId} was stopped`
      : null;
  });
}

function resendsBound(facts: Facts, { transitions }: Commit): string | null {
  return firstOf(transitions, ({ submissionId }) => {
    const submission = facts.submissions.get(submissionId);
    const most = facts.configs[submission?.environment ?? '']?.resends ?? 0;
    return (submission?.resends ?? 0) <= most
      ? null
      : `${submissionId} is sent again for the ${submission?.resends}th time`;
  });
}

/** Each such request spends a resend or a try, or is the one for which nothing is left. */
function doubtfulBound(facts: Facts, { responses }: Commit): string | null {
  return firstOf(responses, ({ attemptId, late }) => {
    const { submissionId = 0, environment = '' } = facts.attempts.get(attemptId) ?? {};
    const config = facts.configs[environment];
    const most = (config?.resends ?? 0) + (config?.retry.tries ?? 0);
    const sent = facts.doubtful.get(submissionId) ?? 0;
    return late === 1 || sent <= most
      ? null
      : `${submissionId} may have been written by ${sent} requests, of ${most} at most`;
  });
}

function holdsInDoubt(facts: Facts, { transitions }: Commit): string | null {
  return firstOf(transitions, ({ submissionId, event }) => {
    const submission = facts.submissions.get(submissionId);
    const policy = facts.configs[submission?.environment ?? '']?.unknown;
    return event === 'resent' && policy === 'hold' ? `${submissionId} is sent again` : null;
  });
}

function doubtLast(facts: Facts, { transitions }: Commit): string | null {
  return firstOf(transitions, ({ submissionId, to }) => {
    const submission = facts.submissions.get(submissionId);
    const config = facts.configs[submission?.environment ?? ''];
    if (to !== 'in-doubt' || !submission || !config || config.unknown === 'hold') return null;
    return submission.resends === config.resends
      ? null
      : `${submissionId} is in doubt after ${submission.resends} resends of ${config.resends}`;
  });
}

function meaningOfStatus(facts: Facts, { responses }: Commit): string | null {
  return firstOf(responses, ({ attemptId, status, outcome, failure }) => {
    const exists = facts.configs[facts.attempts.get(attemptId)?.environment ?? '']?.exists;
    const expected = status === null ? meaningOfSilence(failure) : meaning(status, exists);
    return expected.includes(outcome) ? null : `attempt ${attemptId}: ${status ?? failure} is ${outcome}`;
  });
}

/** A refused connection passes by; what ends on the way may have been carried out; some ends can be either. */
function meaningOfSilence(failure: string | null): readonly OutcomeKind[] {
  if (failure === 'ECONNREFUSED') return ['transient'];
  const isOnItsWay = failure === 'ECONNRESET' || failure === 'UND_ERR_SOCKET' || failure === 'owner-died';
  return isOnItsWay ? ['unknown'] : ['unknown', 'transient'];
}

function meaning(status: number, exists: EnvironmentConfig['exists'] | undefined): readonly OutcomeKind[] {
  // A page with 200 is no success.
  if (status < 300) return ['accepted', 'stop', 'unknown'];
  if (status === 409) return [exists === 'accept' ? 'accepted' : 'rejected'];
  if (status === 429) return ['throttled'];
  if (status === 401 || status === 403) return ['stop'];
  return status >= 500 ? ['transient'] : ['rejected'];
}

function acceptedCounts(facts: Facts, { responses }: Commit): string | null {
  return firstOf(responses, ({ attemptId, outcome }) => {
    const submission = facts.submissions.get(facts.attempts.get(attemptId)?.submissionId ?? 0);
    return outcome !== 'accepted' || submission?.state === 'accepted'
      ? null
      : `${submission?.id} is ${submission?.state} after attempt ${attemptId} was accepted`;
  });
}

function unknownIsHeld(facts: Facts, { responses }: Commit): string | null {
  return firstOf(responses, ({ attemptId, late, status, detail }) => {
    // A late answer counts only when it says accepted.
    if (late === 1 || status !== 400 || !detail?.startsWith('Invalid user identifier')) return null;
    const submission = facts.submissions.get(facts.attempts.get(attemptId)?.submissionId ?? 0);
    return submission && holdOf(facts, submission) !== undefined
      ? null
      : `the learner of ${submission?.id} is not on hold`;
  });
}

function acceptedLifts(facts: Facts, { transitions }: Commit): string | null {
  return firstOf(transitions, ({ submissionId, event }) => {
    const submission = facts.submissions.get(submissionId);
    if (event !== 'accepted' || !submission) return null;
    return holdOf(facts, submission) === undefined
      ? null
      : `${submissionId} is accepted and its learner on hold`;
  });
}

function waitsKept({ wallWasSet }: Facts, { transitions, before, wallMs }: Commit): string | null {
  if (wallWasSet) return null;
  return firstOf(transitions, ({ submissionId, event }) => {
    const { nextAttemptAt = null, lastEvent = null } = before.get(submissionId) ?? {};
    const due = Date.parse(nextAttemptAt ?? '');
    // What waits for the platform's sake goes when that works, and one row of it to see whether it does.
    if (event !== 'claimed' || Number.isNaN(due) || lastEvent === 'stopped') return null;
    return due <= wallMs ? null : `${submissionId} goes ${due - wallMs} ms too early`;
  });
}

function retryAfterKept({ wallWasSet, notBefore }: Facts, { transitions, atMs }: Commit): string | null {
  if (wallWasSet) return null;
  return firstOf(transitions, ({ submissionId, event }) => {
    const untilMs = notBefore.get(submissionId) ?? 0;
    return event === 'claimed' && atMs < untilMs
      ? `${submissionId} goes ${untilMs - atMs} ms before the platform wants it again`
      : null;
  });
}

function answersKept({ unkept }: Facts): string | null {
  return firstOf([...unkept], ([process, count]) =>
    count === 0 ? null : `${process} has not kept ${count} answers`,
  );
}

function lateAccepts(_: Facts, { transitions, responses }: Commit): string | null {
  return firstOf(responses, ({ attemptId, late }) => {
    const moved = transitions.find((transition) => transition.attemptId === attemptId);
    return late === 1 && moved && moved.event !== 'accepted'
      ? `the late answer to attempt ${attemptId} made ${moved.submissionId} ${moved.to}`
      : null;
  });
}

function acceptedIsWritten(facts: Facts, { transitions, responses }: Commit): string | null {
  return firstOf(transitions, ({ submissionId, event, attemptId }) => {
    const submission = facts.submissions.get(submissionId);
    if (event !== 'accepted' || !submission) return null;
    const attributes = JSON.parse(submission.record);
    const isConflict = responses.some(
      (response) => response.attemptId === attemptId && response.status === 409,
    );
    const writes = isConflict
      ? facts.identities.get(identityKey(submission.environment, attributes))
      : facts.writes.get(recordKey(submission.environment, attributes));
    return (writes ?? 0) > 0
      ? null
      : `${submissionId} is accepted by attempt ${attemptId}, and nobody has written it`;
  });
}

function quietMeansQuiet({ quietUntil }: Facts, { slots, atMs }: Commit): string | null {
  return firstOf(slots, ({ id, client }) => {
    const until = quietUntil.get(client) ?? 0;
    return atMs >= until ? null : `place ${id} was taken ${until - atMs} ms too early`;
  });
}

function oneProbe({ sqlite, pauseProbes, configs }: Facts, { slots, atMs }: Commit): string | null {
  return firstOf(slots, ({ id, client }) => {
    const probe = pauseProbes.get(client);
    const longest = Math.max(...Object.values(configs).map(({ deadline }) => deadline));
    if (!probe || atMs - probe.atMs >= longest) return null;
    // A place without an answer is kept after its time, and nobody waits for it any more.
    const isAwaited = sqlite
      .prepare(
        `select 1 from quota_slot
         where quota_slot_id = ? and free_mono_ms > (select taken_mono_ms from quota_slot where quota_slot_id = ?)`,
      )
      .get(probe.slotId, id);
    return isAwaited
      ? `place ${id} is taken before anything came of ${probe.slotId}, the first after a pause`
      : null;
  });
}

function reserveKept({ sqlite, configs }: Facts, { slots, atMs }: Commit): string | null {
  return firstOf(slots, ({ id, client, purpose }) => {
    if (purpose !== 'push') return null;
    const quota = Object.values(configs).map((config) => config.quota)[0];
    const taken = sqlite
      .prepare(
        `select count(*) from quota_slot
         where client = ? and free_mono_ms > (select taken_mono_ms from quota_slot where quota_slot_id = ?)`,
      )
      .pluck()
      .get(client, id) as number;
    const most = (quota?.requests ?? 0) - (quota?.reserve ?? 0);
    return taken <= most ? null : `place ${id} is number ${taken} of ${most} at ${atMs}`;
  });
}

function nothingAcceptedAgain(facts: Facts, { environment, attributes }: Leaving): string | null {
  if (attributes === null) return null;
  const id = facts.byRecord.get(recordKey(environment, attributes));
  const state = facts.submissions.get(id ?? 0)?.state;
  return state === 'accepted' ? `${id} leaves again` : null;
}

function sendingAlone(facts: Facts, { environment, attributes }: Leaving): string | null {
  if (attributes === null) return null;
  const id = facts.byRecord.get(recordKey(environment, attributes));
  if (id === undefined) return `${JSON.stringify(attributes)} is no row of the ledger`;
  const open = facts.sqlite
    .prepare(
      'select count(*) from attempt_submission join attempt_open using (attempt_id) where submission_id = ?',
    )
    .pluck()
    .get(id) as number;
  return open > 0 ? null : `${id} leaves without an attempt that is open`;
}

function leaseStillHeld(facts: Facts, { environment, attributes }: Leaving): string | null {
  if (attributes === null) return null;
  const id = facts.byRecord.get(recordKey(environment, attributes));
  const tokens = facts.sqlite
    .prepare(
      `select a.lease_token as ours, l.token as latest from attempt_submission x
       join attempt a using (attempt_id) left join lease l on l.name = 'push:' || a.environment
       where x.submission_id = ? order by attempt_id desc limit 1`,
    )
    .get(id) as { ours: number; latest: number | null } | undefined;
  return tokens?.ours === tokens?.latest
    ? null
    : `${id} leaves under token ${tokens?.ours} of the lease, which is at ${tokens?.latest}`;
}

function throttledOnly({ configs, throttled }: Facts, { environment, runId, reason }: Ended): string | null {
  if (!reason?.includes('nothing but 429')) return null;
  const { outage = 0, quota } = configs[environment] ?? {};
  const longMs = Math.max(outage, 2 * (quota?.per ?? 0));
  const { longestMs } = throttled.get(`${runId} ${environment}`) ?? { longestMs: 0 };
  return longestMs > longMs ? null : `${environment} is given up after ${longestMs} ms of nothing but 429`;
}

/**
 * A platform that stands still reads all at once what came. Where that is half of the quota or more, other hosts go on, and
 * one request a period goes to see whether it reads again; what comes after is within the quota for itself.
 */
function withinQuota({ configs, arrivals }: Facts, { environment, clientId, atMs }: Arriving): string | null {
  const { requests = 0, per = 0 } = configs[environment]?.quota ?? {};
  const all = arrivals.get(clientId) ?? [];
  const within: number[] = [];
  for (let index = all.length - 1; index >= 0; index -= 1) {
    const arrival = all[index];
    if (!arrival || atMs - arrival.atMs >= per) break;
    within.push(arrival.lateMs);
  }
  if (within.length <= requests) return null;
  const late = within.filter((lateMs) => lateMs > 0).length;
  const hosts = 2 * Object.keys(configs).length;
  const mostLate = requests + hosts * (1 + Math.floor(Math.max(...within) / per));
  if (late * 2 >= requests && late <= mostLate && within.length - late <= requests) return null;
  return `${within.length} requests of ${clientId} within ${per} ms, ${late} of them read late`;
}

/** Those under way, and the next one that has its token already, can't know yet. */
function refusedTokenDropped({ refusals, configs }: Facts, { environment, token }: Refusal): string | null {
  const refused = refusals.get(token) ?? 0;
  return refused <= (configs[environment]?.inFlight ?? 0) + 1 ? null : `${refused} times 401 for ${token}`;
}

function repeatsCounted(facts: Facts): string | null {
  return firstOf([...facts.byRecord], ([key, id]) => {
    const writes = facts.writes.get(key) ?? 0;
    if (writes < 2) return null;
    const open = facts.sqlite
      .prepare(
        'select count(*) from attempt_submission join attempt_open using (attempt_id) where submission_id = ?',
      )
      .pluck()
      .get(id) as number;
    const repeats = facts.submissions.get(id)?.repeats ?? 0;
    return repeats + open >= writes - 1
      ? null
      : `${id} was written ${writes} times and counts ${repeats} repeats`;
  });
}

function claimed({ submissions }: Facts, { transitions }: Commit): SubmissionFact[] {
  return transitions
    .filter(({ event }) => event === 'claimed')
    .flatMap(({ submissionId }) => submissions.get(submissionId) ?? []);
}

/** The others of its slot. */
function mates({ slots, submissions }: Facts, { id, slot }: SubmissionFact): SubmissionFact[] {
  return (slots.get(slot) ?? []).filter((mate) => mate !== id).flatMap((mate) => submissions.get(mate) ?? []);
}

function isPublished({ sqlite }: Facts, { dropId }: SubmissionFact): boolean {
  return sqlite.prepare('select state from "drop" where drop_id = ?').pluck().get(dropId) === 'published';
}

/** Until when the submission's learner is on hold; undefined: it isn't. */
function holdOf(
  { sqlite }: Facts,
  { environment, learner }: SubmissionFact,
): { probe_id: number | null } | undefined {
  return sqlite
    .prepare('select probe_id from learner_hold where environment = ? and learner = unhex(?)')
    .get(environment, learner) as { probe_id: number | null } | undefined;
}

function firstOf<T>(things: readonly T[], breach: (thing: T) => string | null): string | null {
  for (const thing of things) {
    const found = breach(thing);
    if (found !== null) return found;
  }
  return null;
}
