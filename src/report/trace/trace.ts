import type { Config } from '../../config/schema.js';
import type { TraceDocument } from '../../documents/trace.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import type { IdentifiedLearner } from '../../domain/learners/corrected-learners.js';
import { mapSeries } from '../../domain/process/series.js';
import type { Choice } from '../../domain/remedy.js';
import { inWords } from '../../domain/text/duration-words.js';
import type { Ledger } from '../../ledger/store/query.js';
import {
  type NamedDrop,
  type RowWithResult,
  readTrace,
  type TraceQuery,
} from '../../ledger/trace/read-trace.js';
import type { TracedLife } from '../../ledger/trace/submission-life.js';
import { estimatedMs } from '../status/delivery-estimate.js';
import { nextRecheck } from '../status/next-recheck.js';
import { commandLine } from '../text/command-line.js';
import { localTime } from '../text/local-time.js';
import { causeWords, transitionReason } from '../words/causes.js';
import { closureText } from '../words/file-words.js';
import { createRowTracer, type TracedRow } from './traced-row.js';

/** Every step of a life: the rows, the submissions that they became, and what the platform said. Personal. */
export interface Trace extends Omit<TraceDocument, 'rows' | 'submissions'> {
  readonly rows: readonly TracedRow[];
  readonly submissions: readonly TracedSubmission[];
}

export type TracedSubmission = ReturnType<typeof tracedSubmission>;

/** The most submissions that a terminal shows, and the most rows; `--verbose` shows all. */
export const MAX_SHOWN = 20;

/** @param explained how many rows have their fields explained, which may need all rows of a drop. */
export async function trace(
  ledger: Ledger,
  config: Config,
  query: TraceQuery,
  explained: number,
): Promise<Trace> {
  const traces = await readTrace(ledger, query);
  const nowMs = ledger.clock.nowMs();
  const traced = createRowTracer(ledger, config.sources, traces.drops);
  const remarks = remarksOn(traces.named);
  const missing = traces.missing.map(
    ({ dropId, line }) => `Nothing was read in line ${line} of drop ${dropId}.`,
  );
  return {
    what: query.what,
    at: isoFromMs(nowMs),
    kind: traces.kind,
    rows: await mapSeries([...traces.rows.entries()], async ([index, row]) =>
      traced(row, recordOf(row, traces.lives), index < explained),
    ),
    submissions: traces.lives.map((life) => tracedSubmission(life, nextStep(config, life, nowMs))),
    corrections: traces.corrections.map(({ old, now }) => ({ old: named(old), now: named(now) })),
    unsearched: traces.unsearched,
    remarks: remarks.length > 0 ? remarks : missing,
  };
}

/** The record that staging made of the row, else the one of the decision that corrected it. */
function recordOf(
  { dropId, line, correctedBy }: Pick<RowWithResult, 'dropId' | 'line' | 'correctedBy'>,
  lives: readonly TracedLife[],
): TracedLife['record'] {
  const here = lives.filter((life) => life.drop === dropId && life.line === line);
  if (correctedBy !== null)
    return here.find(({ madeBy }) => madeBy?.decisionId === correctedBy.decisionId)?.record ?? null;
  return (here.find(({ madeBy }) => madeBy === null) ?? here[0])?.record ?? null;
}

/** Facts in addition to rows and submissions; of a refused drop also the reason. Personal. */
export function remarksOn(drops: readonly NamedDrop[]): readonly string[] {
  return drops.flatMap(({ drop, line, closure }) => {
    const label = `${drop.file} (drop ${drop.dropId})`;
    if (drop.state === 'refused') return `${label} was refused${closureText(closure)}: ${drop.refusal}`;
    if (drop.state === 'staging') return `${label} is being staged.`;
    return drop.headerLine === line ? `Line ${line} of ${label} is its header.` : [];
  });
}

/** A trace as `trace --json` prints it; docs/cli-json.md describes it. Personal. */
export function traceDocument(trace: Trace): TraceDocument {
  return {
    ...trace,
    submissions: trace.submissions.map(({ next, ...life }) => ({
      ...life,
      next: nextText(next),
      choices: next.choices.map((choice) => ({ ...choice, command: commandLine(choice.remedy) })),
    })),
  };
}

function tracedSubmission(submission: TracedLife, next: NextStep) {
  const { priority: _priority, queue: _queue, hold: _hold, ...life } = submission;
  return {
    ...life,
    next,
    transitions: life.transitions.map(({ platformCode: _code, ...step }) => ({
      ...step,
      reason: transitionReason(step, life.acceptedAs),
    })),
  };
}

function named({ type, id }: IdentifiedLearner) {
  return { type, id };
}

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
      return calm(`Nothing: #${life.replacedBy} has replaced it.`);
    case 'dismissed':
      return calm('Nothing: an operator dismissed it, and it is never sent.');
    case 'sending':
      return calm('Its answer is awaited; if its process has died, the next registrar run resumes it.');
    case 'waiting':
      return calm(waits(config, life, nowMs));
    default:
      return attentionStep(config, life);
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
    return `It waits for environment ${life.environment}, which registrar.yaml doesn't have: restore the environment.`;
  }
  const { queue: place } = life;
  if (place === null) return 'It is about to be sent.';
  if (place.behind !== null) {
    return `It waits for #${place.behind}, which is older and about the same learner and content.`;
  }
  if (life.nextAttemptAt !== null && msFromIso(life.nextAttemptAt) > nowMs) {
    return `It is tried again by the first registrar run after ${localTime(life.nextAttemptAt)}.`;
  }
  if (place.before === 0) return 'The next registrar run sends it first.';
  const afterMs = estimatedMs(place.before, environment);
  return `The next registrar run sends it as number ${place.before + 1}, about ${inWords(afterMs)} after it starts.`;
}

function attentionStep(config: Config, life: TracedLife): NextStep {
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
    words: `${why} ${next === null ? 'No rechecks left.' : `Rechecked automatically from ${localTime(next)} on, with one row of the learner.`}`,
    choices: [
      { when: 'If the identifier is wrong', remedy: { action: 'map' } },
      { when: 'If the learner is known by now', remedy: again },
    ],
  };
}
