import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { CREDENTIALS, ledgerEnv, type TestWorkspace, until } from './workspace.js';

const PROGRAM = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));

/** For waits of seconds: each check opens the ledger. */
export const SELDOM = { interval: 200 };

export const EVERY_SECOND = '* * * * * *';

/** A service as a process of its own, which signals end. */
export async function started(workspace: TestWorkspace, env: Readonly<Record<string, string>> = {}) {
  const service = workspace.startWith(env, 'schedule');
  await isStarted(service);
  return service;
}

/**
 * A service within this process, whose lines start programs as those of a process of its own do.
 * @param program what they start.
 */
export async function begun(workspace: TestWorkspace, program = PROGRAM) {
  const { argv, execArgv } = process;
  process.argv = [process.execPath, program];
  process.execArgv = [];
  for (const [name, value] of Object.entries({ ...CREDENTIALS, ...ledgerEnv(workspace) })) {
    vi.stubEnv(name, value);
  }
  onTestFinished(() => {
    Object.assign(process, { argv, execArgv });
    vi.unstubAllEnvs();
  });
  const service = workspace.begin('schedule');
  await isStarted(service);
  return service;
}

function isStarted({ stderr }: { readonly stderr: () => string }): Promise<void> {
  return until('the schedule has started', () => stderr().includes('schedule started'));
}
