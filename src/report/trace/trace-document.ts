import type { Identified } from '../../domain/learners/corrected-learners.js';
import { commandLine } from '../text/command-line.js';
import { transitionReason } from '../words/cause-words.js';
import { nextText } from './next-step.js';
import { remarkText, type Trace } from './trace.js';
import type { TracedRow } from './traced-row.js';

/** A trace as `trace --json` prints it; docs/cli-json.md describes it. Personal. */
export function traceDocument(trace: Trace): Record<string, unknown> {
  return {
    what: trace.what,
    at: trace.at,
    kind: trace.kind,
    rows: trace.rows.map(rowDocument),
    submissions: trace.submissions.map(
      ({
        submissionId,
        dropId,
        learner: _,
        slot: __,
        priority: ___,
        isDamaged,
        queue: ____,
        hold: _____,
        transitions,
        attempts,
        next,
        ...life
      }) => ({
        submission: submissionId,
        drop: dropId,
        damaged: isDamaged,
        ...life,
        next: nextText(next),
        choices: next.choices.map((choice) => ({ ...choice, command: commandLine(choice.remedy) })),
        transitions: transitions.map(({ runId, attemptId, platformCode: _code, words, ...step }) => ({
          ...step,
          reason: transitionReason({ ...step, words }, life.acceptedAs),
          run: runId,
          attempt: attemptId,
        })),
        attempts: attempts.map(({ attemptId, runId, ...attempt }) => ({
          attempt: attemptId,
          run: runId,
          ...attempt,
        })),
      }),
    ),
    corrections: trace.corrections.map(({ old, now }) => ({ old: named(old), now: named(now) })),
    unsearched: trace.unsearched,
    remarks: trace.remarks.map(remarkText),
  };
}

function named({ type, id }: Identified) {
  return { type, id };
}

function rowDocument({ drop, submissionId, resolution, ...row }: TracedRow) {
  const { dropId, file, source, sheet, sha256, runId, takenAt } = drop;
  return {
    drop: dropId,
    file,
    source,
    sheet,
    sha256,
    run: runId,
    takenAt,
    ...row,
    submission: submissionId,
    resolvedBy: resolution?.submissionId ?? null,
    resolvedIn: resolution?.decision ?? null,
  };
}
