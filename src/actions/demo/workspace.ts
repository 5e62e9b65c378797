import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
    const sample = fileURLToPath(new URL(`data/samples/${file}`, INSTALLATION));
    await copyFile(sample, join(workspace, 'inbox', source, file));
  }
}
