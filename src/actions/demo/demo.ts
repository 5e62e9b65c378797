import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_FILE } from '../../config/load-config.js';
import { reconcile } from '../../report/report.js';
import { type SandboxServer, startSandbox } from '../../sandbox/server.js';
import type { ReceivedRequest } from '../../sandbox/stores/received-log.js';
import { type ActionContext, closeWorkspace, openWorkspace, readWorkspace } from '../context.js';
import type { RunResult } from '../run/envelope.js';
import { type RunRequest, WHOLE_RUN } from '../run/request.js';
import { DEMO_ENV, type DemoQuota, deliverSamples, demoConfig } from './workspace.js';

export interface DemoWatch {
  /** Carries out a run and shows its progress. */
  run(context: ActionContext, request: RunRequest): Promise<RunResult>;
  showStep(step: DemoStep): void;
}

/** The steps of a demo, in the order in which they happen. */
export type DemoStep =
  | { readonly kind: 'opened'; readonly workspace: string; readonly quota: DemoQuota }
  | { readonly kind: 'ran'; readonly workspace: string; readonly result: RunResult }
  /** The same files were dropped again: `sent` requests were made. */
  | { readonly kind: 'repeated'; readonly sent: number; readonly rows: number };

export interface DemoResult {
  readonly workspace: string;
  readonly first: RunResult;
  /** The run of the same files once more. */
  readonly second: RunResult;
  /** Promises that weren't kept, in words; empty where everything went as it should. */
  readonly problems: readonly string[];
}

/** Much smaller than that of the specification, with a short period, so that the demo doesn't wait a minute. */
const QUOTA: DemoQuota = { requests: 20, perMs: 5_000 };

/** Refusals that pass, so that the demo shows how they are survived. */
const FAULTS = {
  schedule: [
    { kind: 'server-error', at: 7 },
    { kind: 'throttle', at: 12 },
  ],
} as const;

/**
 * The whole flow on sample drops, in a workspace of its own, against the embedded platform.
 * @param parent the folder in which the workspace is made.
 */
export async function demo(parent: string, watch: DemoWatch): Promise<DemoResult> {
  const sandbox = await startSandbox({ quota: QUOTA, faults: FAULTS });
  try {
    const context = await makeWorkspace(parent, demoConfig(sandbox.url, QUOTA));
    try {
      watch.showStep({ kind: 'opened', workspace: context.paths.root, quota: QUOTA });
      return await deliverTwice(context, sandbox, watch);
    } finally {
      await closeWorkspace(context);
    }
  } finally {
    await sandbox.close();
  }
}

async function makeWorkspace(parent: string, config: string): Promise<ActionContext> {
  const folder = await mkdtemp(join(parent, 'registrar-demo-'));
  await writeFile(join(folder, CONFIG_FILE), config);
  return openWorkspace(readWorkspace(folder, { env: DEMO_ENV, cwd: folder }));
}

/** Delivers the samples, and then the same files once more, which must send nothing. */
async function deliverTwice(
  context: ActionContext,
  sandbox: SandboxServer,
  watch: DemoWatch,
): Promise<DemoResult> {
  const workspace = context.paths.root;
  await deliverSamples(workspace);
  const first = await watch.run(context, WHOLE_RUN);
  watch.showStep({ kind: 'ran', workspace, result: first });

  const { received } = sandbox.platform;
  const before = received.length;
  await deliverSamples(workspace);
  const second = await watch.run(context, WHOLE_RUN);
  const sent = received.length - before;
  watch.showStep({ kind: 'repeated', sent, rows: second.report.rows });
  const problems = [
    ...(await booksThatDiffer(context, sandbox, [first, second])),
    ...(sent === 0 ? [] : ['the second run sent something again']),
    ...answersThatLack(first.report),
  ];
  return { workspace, first, second, problems };
}

/** Compares the books of both sides at the end; returns the differences in words. */
async function booksThatDiffer(
  { ledger }: ActionContext,
  { platform }: SandboxServer,
  runs: readonly RunResult[],
): Promise<string[]> {
  const { balanced, states } = await reconcile(ledger, {});
  const { overQuota, repeatedWrites } = platform.stats();
  return broken([
    [balanced && runs.every(({ report }) => report.balanced), "the books don't balance"],
    [states.waiting === 0 && states.sending === 0, 'rows are left waiting'],
    [recordsWritten(platform.received) === states.accepted, "the platform's books differ from ours"],
    [overQuota === 0, 'the quota was exceeded'],
    [repeatedWrites === 0, 'a row arrived twice'],
  ]);
}

/** Planned answers of the platform that didn't come. */
function answersThatLack({ attempts }: RunResult['report']): string[] {
  return broken([
    [attempts.rejected > 0, 'no 400 was seen'],
    [attempts.throttled > 0, 'no 429 was survived'],
    [attempts.repeats > 0, 'no 500 was survived'],
  ]);
}

function broken(promises: readonly (readonly [isKept: boolean, problem: string])[]): string[] {
  return promises.filter(([isKept]) => !isKept).map(([, problem]) => problem);
}

/** The number of records written: a request with a list carries out each of its entries (specification §4.1). */
function recordsWritten(received: readonly ReceivedRequest[]): number {
  return received.reduce((sum, { written, entries }) => sum + (written ? (entries ?? 1) : 0), 0);
}
