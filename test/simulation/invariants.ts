import type { EnvironmentConfig } from '../../src/config/schema.js';
import type { Cause } from '../../src/domain/cause.js';
import type { OutcomeKind } from '../../src/domain/outcome.js';
import type { SubmissionEvent } from '../../src/domain/submission.js';
import {
  type Facts,
  identityKey,
  isDoubtful,
  learnerKey,
  type News,
  recordKey,
  type SubmissionFact,
} from './ledger-facts.js';

/** An invariant and its check. */
export interface Invariant<Seen> {
  /** The invariant, as a sentence for people. */
  readonly sentence: string;
  /** The breach; null: none. */
  readonly breach: (facts: Facts, seen: Seen) => string | null;
}

/** A request as it leaves its process. */
export interface Leaving {
  readonly environment: string;
  /** Attributes of its completion; null for a token request. */
  readonly attributes: unknown;
  /** The process that it leaves. */
  readonly by: string;
}

/** A request as it reaches a platform. */
export interface Arriving {
  readonly environment: string;
  readonly clientId: string;
  /** By the platforms' clock. */
  readonly atMs: number;
}

/** Checked after everything that has changed the ledger. */
export const NEWS_INVARIANTS: readonly Invariant<News>[] = [
  {
    sentence: 'Once another process makes attempts in an environment, the one before makes none.',
    breach: onePushAtATime,
  },
  {
    sentence: 'Before another process makes an attempt, all that earlier ones left open is dealt with.',
    breach: nothingLeftOpen,
  },
  { sentence: 'A slot never has two requests under way.', breach: oneRequestASlot },
  { sentence: 'Rows of a drop count only once it is published.', breach: publishedAlone },
  {
    sentence: 'Of one slot, what waits goes in order: revisions, then times, then arrival.',
    breach: slotInOrder,
  },
  {
    sentence: 'A completion older than one accepted for its slot is sent only when a person requested it.',
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
    sentence: 'While a 429 keeps a client id quiet, no request takes a permit of its quota.',
    breach: quietMeansQuiet,
  },
  { sentence: 'The reserve of a quota is left to tokens and reruns.', breach: reserveKept },
  {
    sentence: 'After a pause one request goes first, and the others wait for what comes of it.',
    breach: oneProbe,
  },
];

/** Checked when a request leaves its process. */
export const LEAVING_INVARIANTS: readonly Invariant<Leaving>[] = [
  { sentence: 'What is accepted is never sent again.', breach: nothingAcceptedAgain },
  { sentence: 'What is sent is a row of the ledger that is being sent.', breach: sendingAlone },
  { sentence: 'Nothing leaves for a row that has gone to another process.', breach: byItsOwner },
];

/** Checked when a request has reached a platform. */
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

/** Checked when a 401 has come. */
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

/** Checked when a push has ended. */
export const ENDED_INVARIANTS: readonly Invariant<Ended>[] = [
  {
    sentence: 'A platform is abandoned for answering nothing but 429 only when it has answered nothing else.',
    breach: throttledOnly,
  },
];

/** The books at the end. */
export interface Booked {
  /** Requests sent again although an earlier one may have been carried out, by file. */
  readonly repeats: ReadonlyMap<string, number>;
}

/** Checked at the end. */
export const BOOK_INVARIANTS: readonly Invariant<Booked>[] = [
  { sentence: 'Every answer that a living process got is kept.', breach: answersKept },
  { sentence: 'What was written more often than once is counted as repeated.', breach: repeatsCounted },
];

function onePushAtATime({ pushes }: Facts, { attempts }: News): string | null {
  return firstOf(attempts, ({ id, environment, runId }) => {
    const mapSeries = pushes.get(environment) ?? [];
    const latest = mapSeries.at(-1);
    return mapSeries.includes(runId) && runId !== latest
      ? `attempt ${id} of run ${runId} comes after those of run ${latest}`
      : null;
  });
}

function nothingLeftOpen({ submissions }: Facts, { attempts }: News): string | null {
  const open = [...submissions.values()].flatMap(({ environment, attempts }) =>
    attempts.filter(({ isOpen }) => isOpen).map((attempt) => ({ ...attempt, environment })),
  );
  return firstOf(attempts, ({ id, environment, runId }) => {
    const left = open.find((other) => other.environment === environment && other.run !== runId);
    return left ? `attempt ${left.attempt} is still open when attempt ${id} begins` : null;
  });
}

function oneRequestASlot(facts: Facts, news: News): string | null {
  return firstOf(claimed(facts, news), (submission) => {
    const other = peers(facts, submission).find(({ state }) => state === 'sending');
    return other ? `${submission.id} begins while ${other.id} is under way` : null;
  });
}

function publishedAlone({ submissions, wallWasSet }: Facts, { strays, transitions }: News): string | null {
  const unpublished = firstOf(strays, (id) => `attempt ${id} is for a row of a drop that is not published`);
  if (unpublished !== null || wallWasSet) return unpublished;
  // A row is reported only once its drop is published.
  return firstOf(transitions, ({ submissionId, event, at }) => {
    const { publishedAt = '' } = submissions.get(submissionId) ?? {};
    return at < publishedAt ? `${submissionId} is ${event} before its drop is published` : null;
  });
}

function chosenAlone({ submissions, slots, chosen, chosenBy }: Facts, { attempts }: News): string | null {
  return firstOf(attempts, ({ runId, submissionId }) => {
    const decisionId = chosenBy.get(runId);
    if (decisionId === undefined) return null;
    const slot = submissions.get(submissionId)?.slot ?? '';
    const isChosen = (slots.get(slot) ?? []).some((id) => chosen.get(decisionId)?.has(id));
    return isChosen ? null : `${submissionId} goes in run ${runId} of rerun ${decisionId}`;
  });
}

function slotInOrder(facts: Facts, news: News): string | null {
  return firstOf(claimed(facts, news), (submission) => {
    const earlier = peers(facts, submission).find(
      (peer) => peer.state === 'waiting' && comesBefore(peer, submission),
    );
    return earlier ? `${submission.id} goes before ${earlier.id}` : null;
  });
}

function comesBefore(a: SubmissionFact, b: SubmissionFact): boolean {
  if (a.key === b.key) return a.revision < b.revision;
  return a.occurredAt === b.occurredAt ? a.id < b.id : a.occurredAt < b.occurredAt;
}

function nothingOlder(facts: Facts, news: News): string | null {
  return firstOf(claimed(facts, news), (submission) => {
    if (isLetPass(submission)) return null;
    const newer = peers(facts, submission).find(
      (peer) => peer.state === 'accepted' && peer.occurredAt > submission.occurredAt,
    );
    return newer ? `${submission.id} goes after ${newer.id}, which is newer, was accepted` : null;
  });
}

function newestRevision(facts: Facts, news: News): string | null {
  return firstOf(claimed(facts, news), (submission) => {
    const newer = peers(facts, submission).find(
      (peer) =>
        peer.key === submission.key &&
        peer.revision > submission.revision &&
        peer.state !== 'dismissed' &&
        peer.state !== 'replaced',
    );
    return newer ? `${submission.id} goes although ${newer.id} corrects it and is ${newer.state}` : null;
  });
}

function amendmentsHeld(facts: Facts, news: News): string | null {
  return firstOf(claimed(facts, news), (submission) => {
    if (isLetPass(submission) || facts.amending.has(submission.file)) return null;
    const accepted = peers(facts, submission).find(
      (peer) => peer.key === submission.key && peer.state === 'accepted',
    );
    return accepted ? `${submission.id} corrects ${accepted.id}, which was accepted` : null;
  });
}

function learnersOnHold(facts: Facts, news: News): string | null {
  return firstOf(claimed(facts, news), (submission) =>
    !isLetPass(submission) && isOnHold(facts, submission)
      ? `${submission.id} goes although its learner is on hold`
      : null,
  );
}

function triesSpent(_: Facts, { transitions, answers }: News): string | null {
  return firstOf(transitions, ({ submissionId, event, attempt: attemptId }) => {
    if (event !== 'retried' && event !== 'exhausted') return null;
    const outcome = answers.find((answer) => answer.attemptId === attemptId)?.outcome;
    return outcome === 'transient' ? null : `${submissionId} is ${event} by an answer that is ${outcome}`;
  });
}

function failedLast(facts: Facts, { transitions }: News): string | null {
  return firstOf(transitions, ({ submissionId, event }) => {
    const submission = facts.submissions.get(submissionId);
    if (event !== 'exhausted' || !submission) return null;
    const tries = sinceRerun(submission).filter((one) => isTry(one.event)).length;
    const most = facts.configs[submission.environment]?.retry.tries;
    return tries === most ? null : `${submissionId} failed after ${tries} tries of ${most}`;
  });
}

function isTry(event: SubmissionEvent): boolean {
  return event === 'retried' || event === 'exhausted';
}

function outageSpendsNothing(facts: Facts, { transitions }: News): string | null {
  return firstOf(transitions, ({ submissionId, event, attempt: attemptId }) =>
    isTry(event) && facts.probes.has(attemptId ?? 0)
      ? `${submissionId} is ${event} by attempt ${attemptId}, which was a probe`
      : null,
  );
}

function provenFirst(facts: Facts, { transitions }: News): string | null {
  return firstOf(transitions, ({ submissionId, event, attempt: attemptId }) => {
    if (!isTry(event)) return null;
    const attempt = facts.attempts.get(attemptId ?? 0);
    return facts.proven.has(`${attempt?.runId} ${attempt?.environment}`)
      ? null
      : `${submissionId} is ${event}, and the platform has answered nothing soundly yet`;
  });
}

function stoppedDropsStay(facts: Facts, news: News): string | null {
  return firstOf(claimed(facts, news), ({ id, dropId, priority, transitions }) => {
    // What was held for its learner's sake goes with its learner.
    const released = transitions.some(({ event }) => event === 'released');
    return facts.stoppedDrops.has(dropId) && !released && priority === 0
      ? `${id} goes although its drop ${dropId} was stopped`
      : null;
  });
}

function resendsBound(facts: Facts, { transitions }: News): string | null {
  return firstOf(transitions, ({ submissionId }) => {
    const submission = facts.submissions.get(submissionId);
    const most = facts.configs[submission?.environment ?? '']?.resends ?? 0;
    const resends = submission ? resendsOf(submission) : 0;
    return resends <= most ? null : `${submissionId} is sent again for the ${resends}th time`;
  });
}

/** How often it was to be sent again since a person gave it new patience, although it may have been written. */
function resendsOf(submission: SubmissionFact): number {
  return sinceRerun(submission).filter(({ event, attempt: attemptId }) => {
    if (event !== 'stopped') return event === 'resent';
    const attempt = submission.attempts.find((one) => one.attempt === attemptId);
    return attempt?.answers.some((answer) => !answer.isLate && isDoubtful(answer)) ?? false;
  }).length;
}

/** What happened to it since a person sent it again, or since it was staged. */
function sinceRerun({ transitions }: SubmissionFact) {
  return transitions.slice(1 + transitions.findLastIndex(({ event }) => event === 'rerun'));
}

/** Each such request spends a resend or a try, or is the one for which nothing is left. */
function doubtfulBound(facts: Facts, { answers }: News): string | null {
  return firstOf(answers, ({ attemptId, isLate }) => {
    const { submissionId = 0, environment = '' } = facts.attempts.get(attemptId) ?? {};
    const config = facts.configs[environment];
    const most = (config?.resends ?? 0) + (config?.retry.tries ?? 0);
    const sent = facts.doubtful.get(submissionId) ?? 0;
    return isLate || sent <= most
      ? null
      : `${submissionId} may have been written by ${sent} requests, of ${most} at most`;
  });
}

function holdsInDoubt(facts: Facts, { transitions }: News): string | null {
  return firstOf(transitions, ({ submissionId, event }) => {
    const submission = facts.submissions.get(submissionId);
    const policy = facts.configs[submission?.environment ?? '']?.unknown;
    return event === 'resent' && policy === 'hold' ? `${submissionId} is sent again` : null;
  });
}

function doubtLast(facts: Facts, { transitions }: News): string | null {
  return firstOf(transitions, ({ submissionId, to }) => {
    const submission = facts.submissions.get(submissionId);
    const config = facts.configs[submission?.environment ?? ''];
    if (to !== 'in-doubt' || !submission || !config || config.unknown === 'hold') return null;
    const resends = resendsOf(submission);
    return resends === config.resends
      ? null
      : `${submissionId} is in doubt after ${resends} resends of ${config.resends}`;
  });
}

function meaningOfStatus(facts: Facts, { answers }: News): string | null {
  return firstOf(answers, ({ attemptId, status, outcome, failure }) => {
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

function acceptedCounts(facts: Facts, { answers }: News): string | null {
  return firstOf(answers, ({ attemptId, outcome }) => {
    const submission = facts.submissions.get(facts.attempts.get(attemptId)?.submissionId ?? 0);
    return outcome !== 'accepted' || submission?.state === 'accepted'
      ? null
      : `${submission?.id} is ${submission?.state} after attempt ${attemptId} was accepted`;
  });
}

function unknownIsHeld(facts: Facts, { answers }: News): string | null {
  return firstOf(answers, ({ attemptId, isLate, status, errorDetail }) => {
    // A late answer counts only when it says accepted.
    if (isLate || status !== 400 || !errorDetail?.startsWith('Invalid user identifier')) return null;
    const submission = facts.submissions.get(facts.attempts.get(attemptId)?.submissionId ?? 0);
    return submission && isOnHold(facts, submission)
      ? null
      : `the learner of ${submission?.id} is not on hold`;
  });
}

function acceptedLifts(facts: Facts, { transitions }: News): string | null {
  return firstOf(transitions, ({ submissionId, event }) => {
    const submission = facts.submissions.get(submissionId);
    if (event !== 'accepted' || !submission) return null;
    return isOnHold(facts, submission) ? `${submissionId} is accepted and its learner on hold` : null;
  });
}

function waitsKept({ wallWasSet }: Facts, { transitions, before, wallMs }: News): string | null {
  if (wallWasSet) return null;
  return firstOf(transitions, ({ submissionId, event }) => {
    const { nextAttemptAt = null, transitions: past = [] } = before.get(submissionId) ?? {};
    const due = Date.parse(nextAttemptAt ?? '');
    // What waits for the platform's sake goes when that works, and one row of it to see whether it does.
    if (event !== 'claimed' || Number.isNaN(due) || past.at(-1)?.event === 'stopped') return null;
    return due <= wallMs ? null : `${submissionId} goes ${due - wallMs} ms too early`;
  });
}

function retryAfterKept({ wallWasSet, notBefore }: Facts, { transitions, atMs }: News): string | null {
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

function lateAccepts(_: Facts, { transitions, answers }: News): string | null {
  return firstOf(answers, ({ attemptId, isLate }) => {
    if (!isLate) return null;
    const moved = transitions.filter((transition) => transition.attempt === attemptId);
    // What is accepted ends the hold of its learner's other rows.
    const mayRelease = moved.some(({ event }) => event === 'accepted');
    const wrong = moved.find(({ event }) => event !== 'accepted' && !(mayRelease && event === 'released'));
    return wrong ? `the late answer to attempt ${attemptId} made ${wrong.submissionId} ${wrong.to}` : null;
  });
}

function acceptedIsWritten(facts: Facts, { transitions, answers }: News): string | null {
  return firstOf(transitions, ({ submissionId, event, attempt: attemptId }) => {
    const submission = facts.submissions.get(submissionId);
    if (event !== 'accepted' || !submission) return null;
    const { attributes } = submission;
    const isConflict = answers.some((answer) => answer.attemptId === attemptId && answer.status === 409);
    const writes = isConflict
      ? facts.identities.get(identityKey(submission.environment, attributes))
      : facts.writes.get(recordKey(submission.environment, attributes));
    return (writes ?? 0) > 0
      ? null
      : `${submissionId} is accepted by attempt ${attemptId}, and no attempt has written it`;
  });
}

function quietMeansQuiet({ quietUntil }: Facts, { permits, atMs }: News): string | null {
  return firstOf(permits, ({ id, clientId }) => {
    const until = quietUntil.get(clientId) ?? 0;
    return atMs >= until ? null : `permit ${id} was taken ${until - atMs} ms too early`;
  });
}

function oneProbe({ pauseProbes }: Facts, { permits, atMs }: News): string | null {
  return firstOf(permits, ({ id, clientId }) => {
    const probe = pauseProbes.get(clientId);
    // A permit without an answer is kept after its time, and no request waits for it any more.
    return !probe || atMs - probe.atMs >= probe.deadlineMs
      ? null
      : `permit ${id} is taken before anything came of ${probe.permitId}, the first after a pause`;
  });
}

function reserveKept({ configs }: Facts, { permits, atMs }: News): string | null {
  return firstOf(permits, ({ id, purpose, permitsTaken }) => {
    if (purpose !== 'push') return null;
    const quota = Object.values(configs).map((config) => config.quota)[0];
    const most = (quota?.requests ?? 0) - (quota?.reserve ?? 0);
    return permitsTaken <= most ? null : `permit ${id} is number ${permitsTaken} of ${most} at ${atMs}`;
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
  const isOpen = facts.submissions.get(id)?.attempts.some((attempt) => attempt.isOpen);
  return isOpen ? null : `${id} leaves without an attempt that is open`;
}

function byItsOwner(facts: Facts, { environment, attributes, by }: Leaving): string | null {
  if (attributes === null) return null;
  const id = facts.byRecord.get(recordKey(environment, attributes));
  const latest = facts.submissions.get(id ?? 0)?.attempts.at(-1);
  const owner = facts.processOf.get(latest?.run ?? 0);
  return owner === by ? null : `${id} leaves ${by}, and attempt ${latest?.attempt} is ${owner}'s`;
}

function throttledOnly({ configs, throttled }: Facts, { environment, runId, reason }: Ended): string | null {
  if (!reason?.includes('every request with 429')) return null;
  const { outageMs = 0, quota } = configs[environment] ?? {};
  const longMs = Math.max(outageMs, 2 * (quota?.perMs ?? 0));
  const { longestMs } = throttled.get(`${runId} ${environment}`) ?? { longestMs: 0 };
  return longestMs > longMs ? null : `${environment} is given up after ${longestMs} ms of nothing but 429`;
}

/**
 * A stalled platform reads all requests at once when it goes on. Where that is half of the quota or more, other hosts go on, and
 * one request a period goes to see whether it reads again; what comes after is within the quota for itself.
 */
function withinQuota({ configs, arrivals }: Facts, { environment, clientId, atMs }: Arriving): string | null {
  const { requests = 0, perMs = 0 } = configs[environment]?.quota ?? {};
  const all = arrivals.get(clientId) ?? [];
  const within: number[] = [];
  for (let index = all.length - 1; index >= 0; index -= 1) {
    const arrival = all[index];
    if (!arrival || atMs - arrival.atMs >= perMs) break;
    within.push(arrival.lateMs);
  }
  if (within.length <= requests) return null;
  const late = within.filter((lateMs) => lateMs > 0).length;
  const hosts = 2 * Object.keys(configs).length;
  const mostLate = requests + hosts * (1 + Math.floor(Math.max(...within) / perMs));
  if (late * 2 >= requests && late <= mostLate && within.length - late <= requests) return null;
  return `${within.length} requests of ${clientId} within ${perMs} ms, ${late} of them read late`;
}

/** Those under way, and the next one that has its token already, can't know yet. */
function refusedTokenDropped({ refusals, configs }: Facts, { environment, token }: Refusal): string | null {
  const refused = refusals.get(token) ?? 0;
  return refused <= (configs[environment]?.inFlight ?? 0) + 1 ? null : `${refused} times 401 for ${token}`;
}

/** Of a file, since the books count by files. What is under way is counted when its end is known. */
function repeatsCounted(facts: Facts, { repeats }: Booked): string | null {
  const again = new Map<string, number>();
  for (const [key, id] of facts.byRecord) {
    const { file = '', attempts = [] } = facts.submissions.get(id) ?? {};
    const open = attempts.filter(({ isOpen }) => isOpen).length;
    again.set(file, (again.get(file) ?? 0) + Math.max(0, (facts.writes.get(key) ?? 0) - 1 - open));
  }
  return firstOf([...again], ([file, times]) =>
    (repeats.get(file) ?? 0) >= times
      ? null
      : `rows of ${file} were written ${times} times more than once, and the books count ${repeats.get(file)}`,
  );
}

function claimed({ submissions }: Facts, { transitions }: News): SubmissionFact[] {
  return transitions
    .filter(({ event }) => event === 'claimed')
    .flatMap(({ submissionId }) => submissions.get(submissionId) ?? []);
}

/** The others of its slot. */
function peers({ slots, submissions }: Facts, { id, slot }: SubmissionFact): SubmissionFact[] {
  return (slots.get(slot) ?? []).filter((peer) => peer !== id).flatMap((peer) => submissions.get(peer) ?? []);
}

function isOnHold({ onHold }: Facts, { environment, learner }: SubmissionFact): boolean {
  return onHold.has(learnerKey(environment, learner));
}

/** True while a person's rerun or a recheck lets it pass the guards, which is for one delivery. */
function isLetPass({ transitions }: SubmissionFact): boolean {
  const latest = transitions.findLast(({ event, cause }) => gives(event, cause) || ENDS.includes(event));
  return latest !== undefined && gives(latest.event, latest.cause);
}

function gives(event: SubmissionEvent, cause: Cause | null): boolean {
  return event === 'rerun' || (event === 'released' && cause === 'recheck');
}

const ENDS: readonly SubmissionEvent[] = ['rejected', 'exhausted', 'doubted'];

function firstOf<T>(things: readonly T[], breach: (thing: T) => string | null): string | null {
  for (const thing of things) {
    const found = breach(thing);
    if (found !== null) return found;
  }
  return null;
}
