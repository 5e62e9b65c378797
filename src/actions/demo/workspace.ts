import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isoFromMs } from '../../domain/clock.js';
import { INSTALLATION } from '../../domain/process/installation.js';
import { COMPLETIONS, type DemoSample, type DemoShow } from './shows.js';

/** The demo's quota: that of the specification with a short period, so that nobody waits a minute. */
export interface DemoQuota {
  readonly requests: number;
  readonly perMs: number;
}

/** Variables that the demo's registrar.yaml refers to; the sandbox's embedded client. */
export const DEMO_ENV = {
  REGISTRAR_CLIENT_ID: 'sandbox-client',
  REGISTRAR_CLIENT_SECRET: 'sandbox-secret',
} as const;

/** registrar.yaml of a show. */
export function demoConfig(platformUrl: string, quota: DemoQuota, show: DemoShow = COMPLETIONS): string {
  return `environments:
  main:
    baseUrl: ${platformUrl}
    authUrl: ${platformUrl}
    clientId: \${REGISTRAR_CLIENT_ID}
    clientSecret: \${REGISTRAR_CLIENT_SECRET}
    quota: { requests: ${quota.requests}, per: ${quota.perMs}ms }
    retry: { tries: 5, first: 500ms, longest: 5s }
${show.environment.map((line) => `    ${line}\n`).join('')}sources:
${show.sources}`;
}

/** Puts samples into the inboxes, as an export job would; without `samples` those of the completions. */
export async function deliverSamples(
  workspace: string,
  samples: readonly DemoSample[] = COMPLETIONS.rounds.flat(),
): Promise<void> {
  for (const { source, file } of samples) {
    await copyFile(samplePath(file), join(workspace, 'inbox', source, file));
  }
}

/** Puts a generated drop of `rows` good completions into the academy's inbox. */
export async function deliverGenerated(workspace: string, rows: number, nowMs: number): Promise<void> {
  const lines = ['Email,Course ID,Completed on,Score,Status'];
  for (let row = 0; row < rows; row += 1) {
    const at = isoFromMs(nowMs - 86_400_000 - row * 60_000);
    lines.push(`learner${row}@northwind.example,GEN-${row % 20},${at},${60 + (row % 41)},Completed`);
  }
  await writeFile(join(workspace, 'inbox', 'academy', 'generated.csv'), `${lines.join('\n')}\n`);
}

function samplePath(file: string): string {
  return fileURLToPath(new URL(`data/samples/${file}`, INSTALLATION));
}
