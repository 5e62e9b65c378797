import type { TraceDocument } from '../../documents/trace.js';
import type { Identified } from '../../domain/learners/corrected-learners.js';
import { commandLine } from '../text/command-line.js';
import { transitionReason } from '../words/causes.js';
import { nextText } from './next-step.js';
import { remarkText, type Trace, type TracedSubmission } from './trace.js';

/** A trace as `trace --json` prints it; docs/cli-json.md describes it. Personal. */
export function traceDocument(trace: Trace): TraceDocument {
  return {
    ...trace,
    rows: trace.rows.map(({ resolution, ...row }) => ({
      ...row,
      resolvedBy: resolution?.submission ?? null,
      resolvedIn: resolution?.decision ?? null,
    })),
    submissions: trace.submissions.map(lifeDocument),
    corrections: trace.corrections.map(({ old, now }) => ({ old: named(old), now: named(now) })),
    remarks: trace.remarks.map(remarkText),
  };
}

function lifeDocument(submission: TracedSubmission): TraceDocument['submissions'][number] {
  const {
    learner: _learner,
    slot: _slot,
    priority: _priority,
    queue: _queue,
    hold: _hold,
    ...life
  } = submission;
  return {
    ...life,
    next: nextText(life.next),
    choices: life.next.choices.map((choice) => ({ ...choice, command: commandLine(choice.remedy) })),
    transitions: life.transitions.map(({ platformCode: _code, words, ...step }) => ({
      ...step,
      reason: transitionReason({ ...step, words }, life.acceptedAs),
    })),
  };
}

function named({ type, id }: Identified) {
  return { type, id };
}
