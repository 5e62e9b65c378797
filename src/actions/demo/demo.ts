import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONFIG_FILE } from '../../config/load-config.js';
import { INSTALLATION } from '../../domain/process/installation.js';
import { reconcile } from '../../report/report.js';
import { isOverQuota, type ReceivedRequest } from '../../sandbox/received.js';
import { type SandboxServer, startSandbox } from '../../sandbox/server.js';
import { type ActionContext, closeWorkspace, openWorkspace, readWorkspace } from '../context.js';
import { type RunRequest, WHOLE_RUN } from '../run/request.js';
import type { RunResult } from '../run/run-lifecycle.js';

export interface DemoListener {
  run(context: ActionContext, request: RunRequest): Promise<RunResult>;
  showStep(step: DemoStep): void;
}

export type DemoStep =
  | { readonly kind: 'opened'; readonly workspace: string; readonly quota: typeof QUOTA }
  | { readonly kind: 'ran'; readonly workspace: string; readonly result: RunResult }
  /** The same files were dropped again: `sent` requests were made. */
  | { readonly kind: 'repeated'; readonly sent: number; readonly rows: number };

/** `second`: the run of the same files once more. `problems`: promises that weren't kept, in words. */
export type DemoResult = Awaited<ReturnType<typeof deliverTwice>>;

/** Much smaller than that of the specification, with a short period, so that the demo doesn't wait a minute. */
const QUOTA: Readonly<Record<'requests' | 'perMs', number>> = { requests: 20, perMs: 5_000 };

/** Refusals that pass, so that the demo shows how they are survived. */
const FAULTS = {
  schedule: [
    { kind: 'server-error', at: 7 },
    { kind: 'throttle', at: 12 },
  ],
} as const;

/** The whole flow on sample drops, in a workspace of its own below `parent`, against the embedded platform. */
export async function demo(parent: string, listener: DemoListener): Promise<DemoResult> {
  const sandbox = await startSandbox({ quota: QUOTA, faults: FAULTS });
  try {
    const folder = await mkdtemp(join(parent, 'registrar-demo-'));
    await writeFile(join(folder, CONFIG_FILE), demoConfig(sandbox.url, QUOTA));
    const context = await openWorkspace(readWorkspace(folder, { env: DEMO_ENV, cwd: folder }));
    try {
      listener.showStep({ kind: 'opened', workspace: context.paths.root, quota: QUOTA });
      return await deliverTwice(context, sandbox, listener);
    } finally {
      await closeWorkspace(context);
    }
  } finally {
    await sandbox.close();
  }
}

/** Delivers the samples, and then the same files once more, which must send nothing. */
async function deliverTwice(context: ActionContext, { platform }: SandboxServer, listener: DemoListener) {
  const workspace = context.paths.root;
  await deliverSamples(workspace);
  const first = await listener.run(context, WHOLE_RUN);
  listener.showStep({ kind: 'ran', workspace, result: first });

  const before = platform.received.length;
  await deliverSamples(workspace);
  const second = await listener.run(context, WHOLE_RUN);
  const sent = platform.received.length - before;
  listener.showStep({ kind: 'repeated', sent, rows: second.report.rows });

  // The books of both sides at the end.
  const { balanced, states } = await reconcile(context.ledger, {});
  const { received } = platform;
  const promises: readonly (readonly [isKept: boolean, problem: string])[] = [
    [balanced && first.report.balanced && second.report.balanced, "the books don't balance"],
    [states.waiting === 0 && states.sending === 0, 'rows are left waiting'],
    [recordsWritten(received) === states.accepted, "the platform's books differ from ours"],
    [!received.some(isOverQuota), 'the quota was exceeded'],
    [received.every(({ write }) => (write ?? 0) <= 1), 'a row arrived twice'],
    [sent === 0, 'the second run sent something again'],
  ];
  const problems = promises.flatMap(([isKept, problem]) => (isKept ? [] : problem));
  return { workspace, first, second, problems };
}

/** The number of records written: a request with a list carries out each of its entries (specification §4.1). */
function recordsWritten(received: readonly ReceivedRequest[]): number {
  return received.reduce((sum, { written, entries }) => sum + (written ? (entries ?? 1) : 0), 0);
}

/** Variables that the demo's registrar.yaml refers to; the sandbox's embedded client. */
export const DEMO_ENV = {
  REGISTRAR_CLIENT_ID: 'sandbox-client',
  REGISTRAR_CLIENT_SECRET: 'sandbox-secret',
} as const;

/** Three feeds, each with the settings that its files don't show themselves. */
export const DEMO_SOURCES = `  - name: academy
    operation: submit-completion
    environment: main
    stableFor: 0s
    timeZone: Europe/Berlin
  - name: campus
    operation: submit-completion
    environment: main
    stableFor: 0s
    timeZone: Europe/Berlin
    dateOrder: day-first
    columns: { user-id: E-Mail, content-id: Kursnummer, completed-at: Abgeschlossen am, percentile: Ergebnis }
    status: { notCompleted: [in Bearbeitung] }
  - name: workshops
    operation: submit-completion
    environment: main
    stableFor: 0s
    timeZone: Europe/Berlin
`;

export const DEMO_SAMPLES = [
  { source: 'academy', file: 'academy-completions.csv' },
  { source: 'campus', file: 'campus-export.csv' },
  { source: 'workshops', file: 'workshops.xlsx' },
] as const;

export function demoConfig(platformUrl: string, quota: typeof QUOTA): string {
  return `environments:
  main:
    baseUrl: ${platformUrl}
    authUrl: ${platformUrl}
    clientId: \${REGISTRAR_CLIENT_ID}
    clientSecret: \${REGISTRAR_CLIENT_SECRET}
    quota: { requests: ${quota.requests}, per: ${quota.perMs}ms }
    retry: { tries: 5, first: 500ms, longest: 5s }
sources:
${DEMO_SOURCES}`;
}

/** Puts the samples into the inboxes, as an export job would. */
export async function deliverSamples(workspace: string): Promise<void> {
  for (const { source, file } of DEMO_SAMPLES) {
    const sample = fileURLToPath(new URL(`data/samples/${file}`, INSTALLATION));
    await copyFile(sample, join(workspace, 'inbox', source, file));
  }
}
