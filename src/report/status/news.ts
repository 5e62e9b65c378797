import type { Status } from './status.js';

/**
 * What of a status a person must know, as texts to compare: two statuses with the same texts need no second mail. [] where
 * nothing needs attention. Times, estimates and counts of runs, which go on by themselves, aren't in it.
 */
export function newsOf(status: Status): readonly string[] {
  return [
    ...status.attention.map(({ code, cause, state, count }) => [code, cause, state, count]),
    ...status.outages.map(({ environment, operation, code, since }) => [environment, operation, code, since]),
    ...status.stranded.map(({ environment }) => ['stranded', environment]),
    ...status.environments.map(({ environment, deliverBy }) =>
      (deliverBy?.lateByMs ?? 0) > 0 ? ['late', environment] : [],
    ),
    ...status.unknownLearners.map(({ environment, learners }) => ['unknown', environment, learners]),
    ...status.decisions.map(({ decision }) => ['decision', decision]),
    ...status.refusedFiles.map(({ drop }) => ['file', drop]),
    ...status.unmatched.map(({ path, reason }) => ['unmatched', path, reason]),
    ...status.alerts.failing.map(({ channel }) => ['channel', channel]),
  ]
    .filter((facts) => facts.length > 0)
    .map((facts) => JSON.stringify(facts))
    .sort();
}
