import type { Config } from '../config/schema.js';
import { isoFromMs, msFromIso } from '../domain/clock.js';
import { queuePlace } from '../ledger/claims.js';
import { holdOf } from '../ledger/learner-holds.js';
import type { Ledger } from '../ledger/query.js';
import type { SubmissionLife } from '../ledger/submission-life.js';
import { causeWords } from './cause-words.js';
import { estimatedMs, inWords } from './estimate.js';

/** What happens to a submission next, and what a person can do about it, in a sentence or two. Not personal. */
export function nextStep(ledger: Ledger, config: Config, life: SubmissionLife): string {
  switch (life.state) {
    case 'accepted':
      return 'Nothing: the platform has accepted it, and it is never sent again.';
    case 'replaced':
      return `Nothing: #${life.replacedBy} has taken its place.`;
    case 'dismissed':
      return 'Nothing: a person has decided that it is not sent.';
    case 'sending':
      return 'Its answer is awaited; if its process has died, the next registrar run goes on with it.';
    case 'waiting':
      return waits(ledger, config, life);
    default:
      return needsSomebody(ledger, config, life);
  }
}

function waits(ledger: Ledger, config: Config, life: SubmissionLife): string {
  const environment = config.environments[life.environment];
  if (!environment) {
    return `It waits for environment ${life.environment}, which registrar.yaml doesn't have: put the environment back.`;
  }
  const place = queuePlace(ledger, life.environment, life.submissionId);
  if (place === null) return 'It is about to be sent.';
  if (place.behind !== null) {
    return `It waits until #${place.behind} is settled, which is about the same learner and content and goes first.`;
  }
  const nowMs = ledger.clock.nowMs();
  if (life.nextAttemptAt !== null && msFromIso(life.nextAttemptAt) > nowMs) {
    return `It is tried again by the first registrar run after ${life.nextAttemptAt}.`;
  }
  if (place.before === 0) return 'The next registrar run sends it, before all others.';
  const afterMs = estimatedMs(place.before, environment);
  return `The next registrar run sends it after ${place.before} that wait before it, some ${inWords(afterMs)} from its start.`;
}

function needsSomebody(ledger: Ledger, config: Config, life: SubmissionLife): string {
  const { state, cause, platformCode } = life;
  if (cause === null) throw new Error(`submission ${life.submissionId} is ${state} without a cause`);
  const { reason, remedy } = causeWords({ state, cause, code: platformCode ?? cause });
  const why = `${life.state === 'held' ? 'It is held' : `It is ${life.state}`}: ${reason}.`;
  const again = `registrar rerun --row ${life.submissionId}`;
  if (cause !== 'learner-unknown') return `${why} ${remedy} To send it again: ${again}`;
  return `${why}${recheck(ledger, config, life)} If the identifier is wrong: registrar map. If the learner is known by now: ${again}`;
}

function recheck(ledger: Ledger, config: Config, life: SubmissionLife): string {
  const policy = config.environments[life.environment]?.recheck;
  const hold = life.learner === null ? null : holdOf(ledger, life.environment, life.learner);
  if (policy === undefined || hold === null) return '';
  return hold.rechecks < policy.times
    ? ` One row of the learner asks again from ${isoFromMs(msFromIso(hold.askedAt) + policy.after)} on.`
    : ' No recheck is left.';
}
