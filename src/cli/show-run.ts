import type { ActionContext } from '../actions/context.js';
import { runDocument } from '../actions/documents/report-document.js';
import type { RunListener, RunRequest } from '../actions/run/request.js';
import type { RunResult } from '../actions/run/run-lifecycle.js';
import { carryOut as run } from '../actions/run.js';
import type { Remedy } from '../domain/remedy.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import { visibleText } from '../domain/text/visible-text.js';
import type { Report } from '../report/report.js';
import { elsewhereWords } from '../report/report.js';
import { queueWords } from '../report/status/delivery-estimate.js';
import { lastingOutages, outageLines } from '../report/status/outages.js';
import { renderTerminal } from '../report/terminal.js';
import { commandLine } from '../report/text/command-line.js';
import { unmatchedText } from '../report/words/file-words.js';
import type { Answer, Call } from './command.js';
import { finishedText, troubleText } from './describe-failure.js';
import { type Io, workspaceToName } from './io.js';
import type { Progress } from './log-progress.js';
import type { CommonOptions } from './options-of.js';

type RunCall = Pick<Call, 'io' | 'options' | 'interrupt' | 'who'>;

/** Does some work with its progress on the screen or in the log; only the code of the one shown is loaded. */
export async function withProgress<T>(
  { io, options, interrupt }: RunCall,
  { clock }: Pick<ActionContext, 'clock'>,
  work: (listener: RunListener) => Promise<T>,
): Promise<T> {
  const showsProgress = io.isTerminal && !options.quiet && !options.json;
  const progress = showsProgress
    ? (await import('./terminal-progress.js')).terminalProgress(io, clock)
    : await progressInLog(io, options);
  const { signal } = interrupt;
  signal.addEventListener('abort', () => progress.end(), { once: true });
  try {
    return await work({ interrupt: signal, ...progress });
  } finally {
    progress.end();
  }
}

async function progressInLog(io: Io, options: CommonOptions): Promise<Progress> {
  const { createLogger } = await import('./logger.js');
  const { logProgress } = await import('./log-progress.js');
  return logProgress(createLogger(io, options));
}

export function runWithProgress(call: RunCall, context: ActionContext, request: RunRequest) {
  return withProgress(call, context, (listener) => run(context, request, call.who, listener));
}

/** A finished run as a command's answer. `more` adds members to the JSON document. */
export function answerOfRun(
  { io, options }: RunCall,
  { paths }: Pick<ActionContext, 'paths'>,
  result: RunResult,
  more: Readonly<Record<string, unknown>> = {},
): Answer & Pick<RunResult, 'exit'> {
  reportTroubles(io, options, result);
  const outages = lastingOutages(result.report).flatMap(outageLines);
  return {
    document: () => ({ ...more, ...runDocument(result) }),
    text: (columns) => runText(result, paths.root, io.cwd, columns),
    // The text of a run's report has them already.
    ...(options.quiet || options.json || result.written === null
      ? { notes: outages.map((line) => `${line}\n`).join('') }
      : {}),
    exit: result.exit,
  };
}

/** What a person reads after a run: the report, its path, and the commands for rows that need attention. */
export function runText(
  { runId, report, written, intakeCut }: RunResult,
  workspace: string,
  cwd: string,
  columns: number | null = null,
): string {
  if (written === null) {
    const lines = [
      unmatchedText(report.unmatched ?? []),
      intakeCut ? `Nothing was sent. ${INTAKE_CUT}` : 'No new file was imported, and nothing was sent.',
      elsewhereWords(report) ?? '',
      ...report.waiting.map(queueWords),
    ];
    return lines.map((line) => (line === '' ? '' : `${line}\n`)).join('');
  }
  const named = workspaceToName({ cwd }, workspace);
  const lines = [
    renderTerminal(report, columns, named),
    ...(intakeCut ? [INTAKE_CUT] : []),
    `Report: ${visibleText(written.folder)}`,
    ...(written.page === null ? [] : [`Page to open or pass on: ${written.page}`]),
    ...(written.workbook === null ? [] : [`Correction workbook: ${written.workbook}`]),
    ...rerunsOf(report, runId).map((remedy) => `Once the causes are resolved: ${commandLine(remedy, named)}`),
  ];
  return `${lines.join('\n')}\n`;
}

const INTAKE_CUT = 'The run had to stop before all inboxes were read: the next run imports the rest.';

/** Prints warnings about files that weren't imported and rows that weren't delivered, in every mode. */
function reportTroubles(io: Io, options: CommonOptions, { troubles, finished, report, pushes }: RunResult) {
  for (const trouble of troubles) io.err(troubleText(trouble));
  // The text for people has these files too, and so has the status.
  const unmatched = unmatchedText(report.unmatched ?? []);
  if (unmatched !== '' && !options.changed && (options.quiet || options.json)) io.err(`${unmatched}\n`);
  if (options.quiet) return;
  for (const decision of finished) if (decision.trouble === null) io.err(finishedText(decision));
  for (const [environment, push] of Object.entries(pushes)) {
    if (push.kind !== 'elsewhere') continue;
    const by = push.takesAll ? 'it delivers' : 'the next registrar run delivers';
    io.err(`Process ${push.holder.pid} is delivering to ${environment}; ${by} the rows of this run too.\n`);
  }
}

/** The rerun that is possible once the causes are resolved; none of held rows where another completion has overtaken one. */
export function rerunsOf({ causes, states }: Pick<Report, 'causes' | 'states'>, runId: number): Remedy[] {
  const isOvertaken = causes.some(({ cause }) => cause === 'out-of-order');
  const shown = ATTENTION_STATES.filter((state) => states[state] > 0 && (state !== 'held' || !isOvertaken));
  return shown.length === 0 ? [] : [{ action: 'rerun', selection: { states: shown, run: runId } }];
}
