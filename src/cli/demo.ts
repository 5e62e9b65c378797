import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_FILE, loadConfig } from '../config/load-config.js';
import { systemClock } from '../domain/clock.js';
import { firstRefusals, type ShownAnswer } from '../ledger/answers-shown.js';
import { closeLedger, openLedger } from '../ledger/open.js';
import type { RunResult } from '../pipeline.js';
import { inWords } from '../report/estimate.js';
import { type SandboxServer, startSandbox } from '../sandbox/server.js';
import { openWorkspace } from '../workspace/folders.js';
import { DEMO_ENV, type DemoQuota, deliverGenerated, deliverSamples, demoConfig } from './demo-workspace.js';
import { type CommonOptions, type Io, print } from './io.js';
import type { Finish, Interrupt } from './program.js';
import type { Session } from './session.js';
import { runDocument, runText, runWithProgress } from './show-run.js';
import { whoDecides } from './who-decides.js';
import { wholeNumber } from './whole-number.js';

interface DemoOptions extends CommonOptions {
  readonly rows?: number;
}

const PERIOD_MS = 5_000;

/** `registrar demo`: the whole flow on sample drops against the embedded sandbox. */
export function addDemo(program: Command, io: Io, interrupt: Interrupt, finish: Finish): void {
  program
    .command('demo')
    .description('the whole flow in seconds: sample drops, a throw-away workspace, the embedded sandbox')
    .option('--rows <n>', 'also deliver a generated drop of this many rows', wholeNumber)
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DemoOptions>();
      const rows = options.rows ?? 0;
      // Enough to have even a large --rows delivered within some twenty seconds.
      const quota = { requests: Math.max(20, Math.ceil(rows / 4)), perMs: PERIOD_MS };
      const sandbox = await startSandbox({
        quota,
        faults: {
          schedule: [
            { kind: 'server-error', at: 7 },
            { kind: 'throttle', at: 12 },
          ],
        },
      });
      try {
        await demo(await makeWorkspace(sandbox.url, quota), sandbox, quota, options);
      } finally {
        await sandbox.close();
      }
    });

  async function demo(session: Session, sandbox: SandboxServer, quota: DemoQuota, options: DemoOptions) {
    const say = (text: string) => {
      if (!options.quiet && !options.json) io.out(text);
    };
    const folder = session.paths.root;
    try {
      say(opening(folder, quota));
      await deliverSamples(folder);
      if (options.rows) await deliverGenerated(folder, options.rows, session.clock.nowMs());
      const first = await runOnce(session, options);
      say(`${runText(first, folder, io.cwd)}\n`);
      const refusals = firstRefusals(session.ledger);
      say(whatThePlatformSaid(refusals));

      const received = sandbox.platform.received.length;
      await deliverSamples(folder);
      const second = await runOnce(session, options);
      const sentAgain = sandbox.platform.received.length - received;
      say(
        `The same files dropped a second time: ${sentAgain} requests, ${second.report.rows} rows staged.\n\n`,
      );

      const problems = whatWentWrong(first, second, sandbox, sentAgain, refusals);
      print(
        io,
        options,
        () => ({
          workspace: folder,
          ok: problems.length === 0,
          problems,
          first: runDocument(first),
          second: runDocument(second),
        }),
        () => closing(folder, problems),
      );
      if (first.exit === 'interrupted' || second.exit === 'interrupted') finish('interrupted');
      else if (problems.length > 0) finish('attention');
    } finally {
      closeLedger(session.ledger);
    }
  }

  function runOnce(session: Session, options: DemoOptions): Promise<RunResult> {
    // Rows that need attention are part of the show, so they are no warnings here.
    const quiet = io.isTerminal ? options : { ...options, quiet: true };
    return runWithProgress(io, quiet, session, interrupt, {
      trigger: 'manual',
      who: whoDecides(io),
      sources: [],
      push: true,
      maxDurationMs: null,
    });
  }
}

async function makeWorkspace(platformUrl: string, quota: DemoQuota): Promise<Session> {
  const folder = await mkdtemp(join(tmpdir(), 'registrar-demo-'));
  await writeFile(join(folder, CONFIG_FILE), demoConfig(platformUrl, quota));
  const { config } = loadConfig(folder, DEMO_ENV);
  const paths = await openWorkspace(folder, config);
  const clock = systemClock();
  return { config, paths, clock, ledger: openLedger(paths.ledger, clock) };
}

function opening(folder: string, quota: DemoQuota): string {
  return `Registrar's demo, in ${folder}
Three exports of learning systems go to an embedded platform: a UTF-8 CSV, a Windows-1252 CSV with
semicolons and day-first dates, a workbook with real dates and percent scores. The platform allows
${quota.requests} requests per ${inWords(quota.perMs)} (a real one: 70 per minute), doesn't know learners called "unknown", and is
told to fail once with a 5xx and once with a 429.

`;
}

function whatThePlatformSaid(refusals: readonly ShownAnswer[]): string {
  const lines = refusals.map(({ file, line, status, code, title, detail, state, attempts }) => {
    const said = [code, title, detail].filter((part) => part !== null).join(' | ');
    const tries = attempts === 1 ? '1 request' : `${attempts} requests`;
    return `  ${status ?? 'no answer'} to ${file}:${line}: ${said || 'no error given'} -> ${state} after ${tries}`;
  });
  return `What the platform said besides yes, the first of each kind:\n${lines.join('\n')}\n\n`;
}

/** What the demo promises, checked against both sides' books. */
function whatWentWrong(
  first: RunResult,
  second: RunResult,
  sandbox: SandboxServer,
  sentAgain: number,
  refusals: readonly ShownAnswer[],
): string[] {
  const { report } = first;
  const stats = sandbox.platform.stats();
  const promises: readonly (readonly [boolean, string])[] = [
    [report.balanced && second.report.balanced, "the books don't balance"],
    [report.states.waiting === 0 && report.states.sending === 0, 'rows are left waiting'],
    [
      sandbox.platform.completions().length === report.states.accepted,
      "the platform's books differ from ours",
    ],
    [stats.overQuota === 0, 'the quota was exceeded'],
    [stats.repeatedWrites === 0, 'a row arrived twice'],
    [sentAgain === 0, 'the second run sent something again'],
    [refusals.some(({ status }) => status === 400), 'no 400 was seen'],
    [refusals.some(({ status, state }) => status === 429 && state === 'accepted'), 'no 429 was survived'],
    [
      refusals.some(({ status, state }) => (status ?? 0) >= 500 && state === 'accepted'),
      'no 5xx was survived',
    ],
  ];
  return promises.filter(([kept]) => !kept).map(([, problem]) => problem);
}

function closing(folder: string, problems: readonly string[]): string {
  if (problems.length > 0) return `The demo did not go as it should: ${problems.join('; ')}.\n`;
  return `It went as it should. The workspace is yours to look at: ${folder}\n`;
}
