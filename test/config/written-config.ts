// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is what registrar.yaml holds
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { loadConfig } from '../../src/config/load-config.js';

export const CREDENTIALS = { CLIENT: 'client-7', SECRET: 'kept-from-everyone' };

const ENVIRONMENT = [
  'environments:',
  '  main:',
  '    baseUrl: https://platform.example',
  '    authUrl: https://login.platform.example',
  '    clientId: ${CLIENT}',
  '    clientSecret: ${SECRET}',
];

const SOURCE = ['sources:', '  - name: academy', '    operation: submit-completion', '    environment: main'];

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A workspace folder with this registrar.yaml. */
export function written(yaml: string | Buffer): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'registrar.yaml'), yaml);
  return folder;
}

/** A sound configuration, with lines added to its environment (6 lines, then these), its source, and the end. */
export function sound(added: {
  environment?: readonly string[];
  source?: readonly string[];
  end?: readonly string[];
}): string {
  const inEnvironment = (added.environment ?? []).map((line) => `    ${line}`);
  const inSource = (added.source ?? []).map((line) => `    ${line}`);
  return [...ENVIRONMENT, ...inEnvironment, ...SOURCE, ...inSource, ...(added.end ?? []), ''].join('\n');
}

/** What loading this registrar.yaml reports; an empty list when it loads. */
export function mistakesOf(
  yaml: string | Buffer,
  env: Record<string, string> = CREDENTIALS,
): readonly string[] {
  try {
    loadConfig(written(yaml), env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}
