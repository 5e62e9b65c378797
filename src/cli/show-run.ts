import { join } from 'node:path';
import { type RunRequest, type RunResult, run } from '../actions/run.js';
import { visibleStrings, visibleText } from '../domain/visible-text.js';
import { ATTENTION_STATES } from '../ledger/attention.js';
import { guideName, needsGuide } from '../report/guide/write-guide.js';
import { lastingOutages, outageText } from '../report/outages.js';
import { queueWords } from '../report/queue.js';
import { renderJson } from '../report/render-json.js';
import { renderTerminal } from '../report/render-terminal.js';
import type { Report } from '../report/report.js';
import { shellWord } from '../report/shell-word.js';
import { untakenText } from '../report/untaken-words.js';
import { PAGE_FILE } from '../report/write-report.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
import { createLogger } from './logger.js';
import { createProgress } from './progress.js';
import type { Session } from './session.js';

/** What a command says about its run; the rest comes from the session and the process. */
type Asked = Omit<RunRequest, keyof Session | 'interrupt' | 'onStage' | 'onPush'>;

/** Runs the flow with its progress on the screen or in the log. */
export function runWithProgress(
  io: Io,
  options: CommonOptions,
  session: Session,
  interrupt: Interrupt,
  asked: Asked,
): Promise<RunResult> {
  const progress = createProgress(
    io,
    options,
    createLogger(io, options),
    session.config.environments,
    session.clock,
  );
  const { onStage, onPush } = progress;
  interrupt.signal.addEventListener('abort', () => progress.end(), { once: true });
  return run({ ...session, ...asked, interrupt: interrupt.signal, onStage, onPush }).finally(() =>
    progress.end(),
  );
}

/** The same, and prints how it went. `more` adds to the JSON document. */
export async function showRun(
  io: Io,
  options: CommonOptions,
  session: Session,
  interrupt: Interrupt,
  finish: Finish,
  asked: Asked,
  more: () => Record<string, unknown> = () => ({}),
): Promise<void> {
  const result = await runWithProgress(io, options, session, interrupt, asked);
  tellTroubles(io, options, result);
  print(
    io,
    options,
    () => ({ ...more(), ...runDocument(result) }),
    () => runText(result, session.paths.root, io.cwd, widthOf(io)),
  );
  tellOutages(io, result);
  finish(result.exit);
}

/** `run --json`. */
export function runDocument(result: RunResult): Record<string, unknown> {
  return {
    run: result.runId,
    exit: result.exit,
    ...renderJson(result.report),
    reportFolder: result.reportFolder,
    pushes: result.pushes,
    troubles: result.troubles.map(({ message, hint }) => ({ message, hint })),
  };
}

/** What a person reads after a run: the report, where it lies, and the command for what needs a person. */
export function runText(
  result: RunResult,
  workspace: string,
  cwd: string,
  columns: number | null = null,
): string {
  if (result.reportFolder === null) {
    const untaken = untakenText(result.report.untaken ?? [], 'now');
    const waiting = result.report.waiting.map((queue) => `${queueWords(queue)}\n`).join('');
    const isWell = untaken === '' && lastingOutages(result.report).length === 0;
    if (isWell && result.intakeCut) return `Nothing was sent. ${INTAKE_CUT}\n${waiting}`;
    if (isWell) return `Nothing to do: no new file came in, and nothing was sent.\n${waiting}`;
    const nothing = 'No new file was taken in, and nothing was sent: registrar status says what waits.';
    return `${untaken === '' ? '' : `${untaken}\n`}${nothing}\n`;
  }
  const lines = [
    renderTerminal(result.report, columns),
    ...(result.intakeCut ? [INTAKE_CUT] : []),
    `Report: ${visibleText(result.reportFolder)}`,
    `Page to open or pass on: ${join(result.reportFolder, PAGE_FILE)}`,
    ...(needsGuide(result.report)
      ? [`Workbook that says what to do: ${join(result.reportFolder, guideName(result.report.scope))}`]
      : []),
  ];
  const where = workspace === cwd ? '' : ` --workspace ${shellWord(workspace)}`;
  const again = rerunsOf(result.report).map(
    (rows) => `registrar rerun ${rows} --run ${result.runId}${where}`,
  );
  lines.push(...again.map((command) => `Once the causes are mended: ${command}`));
  return `${lines.join('\n')}\n`;
}

/** Nothing says how much lies there: nobody has looked, or not to the end. */
const INTAKE_CUT =
  'The run had to stop before all inboxes were looked through: the next run takes what lies there.';

/**
 * Which rows a rerun may be given for, once somebody has seen to them: those that another completion has overtaken are
 * left, and a rerun of all that is held would send them.
 */
function rerunsOf({ causes, states }: Report): string[] {
  const held = causes.filter(({ state }) => state === 'held');
  const left = held.filter(({ cause }) => cause === 'out-of-order');
  const whole = ATTENTION_STATES.filter(
    (state) => states[state] > 0 && (state !== 'held' || left.length === 0),
  );
  const reasons = left.length === 0 ? [] : held.filter((cause) => !left.includes(cause));
  return [
    ...(whole.length > 0 ? [`--state ${whole.join(',')}`] : []),
    ...reasons.map(({ code }) => `--state held --reason ${shellWord(code)}`),
  ];
}

/** What people must know about what wasn't taken in or emptied, whatever they asked to see. */
function tellTroubles(io: Io, options: CommonOptions, result: RunResult): void {
  for (const { message, hint } of visibleStrings(result.troubles)) io.err(`${message}. ${hint}\n`);
  // The text for people has them as well.
  const untaken = untakenText(result.report.untaken ?? [], 'now');
  if (untaken !== '' && (options.quiet || options.json)) io.err(`${untaken}\n`);
  for (const [environment, push] of Object.entries(result.pushes)) {
    if (push.kind === 'elsewhere' && !options.quiet) {
      io.err(
        push.takesAll
          ? `Process ${push.holder.pid} is pushing to ${environment}; it delivers what this run has staged as well.\n`
          : `Process ${push.holder.pid} delivers a rerun to ${environment}, and nothing else; the next registrar run delivers what this one has staged.\n`,
      );
    }
  }
}

/** Last, where a person and a mail from cron end; and whatever was asked to be seen. */
function tellOutages(io: Io, result: RunResult): void {
  for (const outage of lastingOutages(result.report)) {
    io.err(`${outageText(outage)} The next run goes on. ${outage.remedy}\n`);
  }
}
