import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isoFromMs } from '../../domain/clock.js';
import { INSTALLATION } from '../../domain/process/installation.js';

/** The demo's quota: that of the specification with a short period, so that the demo doesn't wait a minute. */
export interface DemoQuota {
  readonly requests: number;
  readonly perMs: number;
}

/** Variables that the demo's registrar.yaml refers to; the sandbox's embedded client. */
export const DEMO_ENV = {
  REGISTRAR_CLIENT_ID: 'sandbox-client',
  REGISTRAR_CLIENT_SECRET: 'sandbox-secret',
} as const;

/** A file of data/samples/ and the source that takes it. */
export interface DemoSample {
  readonly source: string;
  readonly file: string;
}

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

export const DEMO_SAMPLES: readonly DemoSample[] = [
  { source: 'academy', file: 'academy-completions.csv' },
  { source: 'campus', file: 'campus-export.csv' },
  { source: 'workshops', file: 'workshops.xlsx' },
];

/** The demo's registrar.yaml. */
export function demoConfig(platformUrl: string, quota: DemoQuota): string {
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
