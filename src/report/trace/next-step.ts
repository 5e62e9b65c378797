import type { Config } from '../../config/schema.js';
import { msFromIso } from '../../domain/clock.js';
import type { Choice } from '../../domain/remedy.js';
import { inWords } from '../../domain/text/duration-words.js';
import type { TracedLife } from '../../ledger/trace/submission-life.js';
import { estimatedMs } from '../status/delivery-estimate.js';
import { nextRecheck } from '../status/next-recheck.js';
import { commandLine } from '../text/command-line.js';
import { causeWords } from '../words/causes.js';

export interface NextStep {
  /** A sentence or two. Not personal. */
  readonly words: string;
  readonly choices: readonly Choice[];
}

export function nextStep(config: Config, life: TracedLife, nowMs: number): NextStep {
  switch (life.state) {
    case 'accepted':
      return calm('Nothing: the platform has accepted it, and it is never sent again.');
    case 'replaced':
      return calm(`Nothing: #${life.replacedBy} has taken its place.`);
    case 'dismissed':
      return calm('Nothing: a person has decided that it is not sent.');
    case 'sending':
      return calm('Its answer is awaited; if its process has died, the next registrar run resumes it.');
    case 'waiting':
      return calm(waits(config, life, nowMs));
    default:
      return needsSomebody(config, life);
  }
}

export function nextText({ words, choices }: NextStep): string {
  const commands = choices.map(({ when, remedy }) => `${when}: ${commandLine(remedy)}`).join('. ');
  return commands === '' ? words : `${words} ${commands}`;
}

function calm(words: string): NextStep {
  return { words, choices: [] };
}

function waits(config: Config, life: TracedLife, nowMs: number): string {
  const environment = config.environments[life.environment];
  if (!environment) {
    return `It waits for environment ${life.environment}, which registrar.yaml doesn't have: put the environment back.`;
  }
  const { queue: place } = life;
  if (place === null) return 'It is about to be sent.';
  if (place.behind !== null) {
    return `It waits until #${place.behind} is dealt with, which is about the same learner and content and goes first.`;
  }
  if (life.nextAttemptAt !== null && msFromIso(life.nextAttemptAt) > nowMs) {
    return `It is tried again by the first registrar run after ${life.nextAttemptAt}.`;
  }
  if (place.before === 0) return 'The next registrar run sends it, before all others.';
  const afterMs = estimatedMs(place.before, environment);
  return `The next registrar run sends it after ${place.before} that wait before it, some ${inWords(afterMs)} from its start.`;
}

function needsSomebody(config: Config, life: TracedLife): NextStep {
  const { state, cause, platformCode, submission } = life;
  if (cause === null) throw new Error(`submission ${submission} is ${state} without a cause`);
  const { reason, remedy } = causeWords({ state, cause, code: platformCode ?? cause });
  const why = `${state === 'held' ? 'It is held' : `It is ${state}`}: ${reason}.`;
  const again = { action: 'rerun', selection: { states: [state], rows: [submission] } } as const;
  if (cause !== 'learner-unknown') {
    return { words: `${why} ${remedy}`, choices: [{ when: 'To send it again', remedy: again }] };
  }
  const next = nextRecheck(life.hold, config.environments[life.environment]?.recheck);
  return {
    words: `${why} ${next === null ? 'No rechecks left.' : `Retried automatically from ${next} on, with one row of the learner.`}`,
    choices: [
      { when: 'If the identifier is wrong', remedy: { action: 'map' } },
      { when: 'If the learner is known by now', remedy: again },
    ],
  };
}
