import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { RunResult } from '../actions/run.js';
import { CONFIG_FILE, loadConfig } from '../config/load-config.js';
import { systemClock } from '../domain/clock.js';
import { countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { firstRefusals, type ShownAnswer } from '../ledger/answers-shown.js';
import { closeLedger } from '../ledger/open.js';
import { OPERATIONS } from '../operations/registry.js';
import { inWords } from '../report/estimate.js';
import { reconcile } from '../report/report.js';
import type { ReceivedRequest } from '../sandbox/received-log.js';
import { type SandboxServer, startSandbox } from '../sandbox/server.js';
import { openExpectedLedger } from '../upkeep/expected-ledger.js';
import { openWorkspace } from '../workspace/folders.js';
import type { Finish, Interrupt } from './command.js';
import { COMPLETIONS, DEMO_SHOWS, type DemoShow } from './demo-shows.js';
import { DEMO_ENV, type DemoQuota, deliverGenerated, deliverSamples, demoConfig } from './demo-workspace.js';
import { type CommonOptions, type Io, print } from './io.js';
import type { Session } from './session.js';
import { runDocument, runText, runWithProgress } from './show-run.js';
import { whoDecides } from './who-decides.js';
import { wholeNumber } from './whole-number.js';

interface DemoOptions extends CommonOptions {
  readonly rows?: number;
  readonly operation?: string;
}

const PERIOD_MS = 5_000;

/** `registrar demo`: the whole flow on sample drops against the embedded sandbox. */
export function addDemo(program: Command, io: Io, interrupt: Interrupt, finish: Finish): void {
  program
    .command('demo')
    .description('the whole flow in seconds: sample drops, a throw-away workspace, the embedded sandbox')
    .option('--rows <n>', 'also deliver a generated drop of this many rows', wholeNumber)
    .addOption(
      new Option(
        '--operation <name>',
        'show this operation and those that go with it; else completions',
      ).choices(OPERATIONS.map(({ name }) => name)),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DemoOptions>();
      const show = showOf(options);
      const rows = options.rows ?? 0;
      // Enough to have even a large --rows delivered within some twenty seconds.
      const quota = { requests: Math.max(20, Math.ceil(rows / 4)), perMs: PERIOD_MS };
      const sandbox = await startSandbox({ quota, ...show.sandbox });
      try {
        const workspace = await makeWorkspace(io.env.TMPDIR || tmpdir(), sandbox.url, quota, show);
        await demo(workspace, sandbox, quota, show, options);
      } finally {
        await sandbox.close();
      }
    });

  async function demo(
    session: Session,
    sandbox: SandboxServer,
    quota: DemoQuota,
    show: DemoShow,
    options: DemoOptions,
  ) {
    const say = (text: string) => {
      if (!options.quiet && !options.json) io.out(text);
    };
    const folder = session.paths.root;
    const { received } = sandbox.platform;
    try {
      say(opening(folder, quota, show));
      const runs: RunResult[] = [];
      for (const [index, samples] of show.rounds.entries()) {
        const before = received.length;
        await deliverSamples(folder, samples);
        if (options.rows) await deliverGenerated(folder, options.rows, session.clock.nowMs());
        if (index > 0) say(`Then ${samples.map(({ file }) => file).join(', ')}:\n\n`);
        const result = await runOnce(session, options);
        runs.push(result);
        say(`${runText(result, folder, io.cwd)}\n`);
        if (show !== COMPLETIONS) say(whatWasAsked(received.slice(before)));
      }
      const refusals = firstRefusals(session.ledger);
      say(whatThePlatformSaid(refusals));

      const before = received.length;
      await deliverSamples(folder, show.rounds.flat());
      const second = await runOnce(session, options);
      const sentAgain = received.length - before;
      say(
        `The same files dropped a second time: ${countOf(sentAgain, 'request')}, ${countOf(second.report.rows, 'row')} staged.\n\n`,
      );

      const problems = whatWentWrong(session, [...runs, second], sandbox, sentAgain, show, refusals);
      const [first, ...further] = runs.map(runDocument);
      print(
        io,
        options,
        () => ({
          workspace: folder,
          ok: problems.length === 0,
          problems,
          first,
          further,
          second: runDocument(second),
        }),
        () => closing(folder, problems),
      );
      if ([...runs, second].some(({ exit }) => exit === 'interrupted')) finish('interrupted');
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

function showOf({ operation, rows }: DemoOptions): DemoShow {
  const show = DEMO_SHOWS.find(({ operations }) => operations.includes(operation ?? '')) ?? COMPLETIONS;
  if (rows === undefined || show === COMPLETIONS) return show;
  throw new OperatorError({
    operation: 'read the options',
    subject: '--rows',
    message: `--rows makes completions, and --operation ${operation} shows none`,
    hint: 'Leave one of the two out.',
  });
}

async function makeWorkspace(
  parent: string,
  platformUrl: string,
  quota: DemoQuota,
  show: DemoShow,
): Promise<Session> {
  const folder = await mkdtemp(join(parent, 'registrar-demo-'));
  await writeFile(join(folder, CONFIG_FILE), demoConfig(platformUrl, quota, show));
  const { config } = loadConfig(folder, DEMO_ENV);
  const paths = await openWorkspace(folder, config);
  const clock = systemClock();
  return { config, paths, clock, ledger: openExpectedLedger(paths, clock) };
}

function opening(folder: string, quota: DemoQuota, show: DemoShow): string {
  const allowed = `${quota.requests} requests per ${inWords(quota.perMs)} (a real one: 70 per minute)`;
  return `Registrar's demo, in ${folder}\n${show.opening(allowed)}\n`;
}

function whatWasAsked(received: readonly ReceivedRequest[]): string {
  const lines = received.map(({ method, path, status }) => `  ${method} ${path}: ${status ?? 'no answer'}`);
  return `What the platform was asked:\n${lines.join('\n')}\n\n`;
}

function whatThePlatformSaid(refusals: readonly ShownAnswer[]): string {
  const lines = refusals.map(({ file, line, status, code, title, detail, state, attempts }) => {
    const said = [code, title, detail].filter((part) => part !== null).join(' | ');
    return `  ${status ?? 'no answer'} to ${file}:${line}: ${said || 'no error given'} -> ${state} after ${countOf(attempts, 'request')}`;
  });
  return `What the platform said besides yes, the first of each kind:\n${lines.join('\n')}\n\n`;
}

/** What the demo promises, checked against both sides' books. */
function whatWentWrong(
  { ledger }: Session,
  runs: readonly RunResult[],
  sandbox: SandboxServer,
  sentAgain: number,
  show: DemoShow,
  refusals: readonly ShownAnswer[],
): string[] {
  const { balanced, states } = reconcile(ledger, {});
  const stats = sandbox.platform.stats();
  const promises: readonly (readonly [boolean, string])[] = [
    [balanced && runs.every(({ report }) => report.balanced), "the books don't balance"],
    [states.waiting === 0 && states.sending === 0, 'rows are left waiting'],
    [recordsWritten(sandbox.platform.received) === states.accepted, "the platform's books differ from ours"],
    [stats.overQuota === 0, 'the quota was exceeded'],
    [stats.repeatedWrites === 0, 'a row arrived twice'],
    [sentAgain === 0, 'the second run sent something again'],
    ...show.answers.map(({ status, survived }) => {
      const isThere = refusals.some(
        (refusal) => isLike(refusal.status ?? 0, status) && (!survived || refusal.state === 'accepted'),
      );
      return [isThere, `no ${status} was ${survived ? 'survived' : 'seen'}`] as const;
    }),
  ];
  return promises.filter(([kept]) => !kept).map(([, problem]) => problem);
}

/** A request of a list carries out each of its entries (specification §4.1). */
function recordsWritten(received: readonly ReceivedRequest[]): number {
  return received.reduce((sum, { written, entries }) => sum + (written ? (entries ?? 1) : 0), 0);
}

/** Which 5xx a fault is doesn't matter; which 4xx does. */
function isLike(status: number, expected: number): boolean {
  return expected === 500 ? status >= 500 : status === expected;
}

function closing(folder: string, problems: readonly string[]): string {
  if (problems.length > 0) return `The demo did not go as it should: ${problems.join('; ')}.\n`;
  return `It went as it should. The workspace is yours to look at: ${folder}\n`;
}
