import { expect } from 'vitest';
import type { CliResult } from './command-line.js';
import { IS_ROOT, NOBODY } from './users.js';
import { CREDENTIALS, documentOf, ledgerEnv, startCli, type TestWorkspace } from './workspace.js';

/** One finding of doctor, as its JSON has it. */
export interface ExaminedFinding {
  readonly check: string;
  readonly subject: string;
  readonly verdict: 'ok' | 'attention' | 'broken';
  readonly message: string;
  readonly remedy: string;
}

/** What doctor found, and how it ended. */
export interface Examined {
  readonly code: number | null;
  /** What doctor printed, on both streams. */
  readonly output: string;
  readonly all: readonly ExaminedFinding[];
  /** The findings that are not ok, each as one line: verdict, check, message, remedy. */
  readonly wrong: readonly string[];
}

/** Runs `registrar doctor --json` in this process. @param env further variables of the program. */
export async function examined(
  workspace: TestWorkspace,
  env: Readonly<Record<string, string>> = {},
  ...args: string[]
): Promise<Examined> {
  return examinedBy(await workspace.cliWith(env, 'doctor', '--json', ...args));
}

/** Runs it as a process of its own: for what a process reads of its own environment. */
export async function examinedApart(
  workspace: TestWorkspace,
  env: Readonly<Record<string, string>>,
): Promise<Examined> {
  return examinedBy(await workspace.startWith(env, 'doctor', '--json').ended);
}

/** Runs it offline, as a user without rights where the tests run as root. A test that calls it has the tag unprivileged. */
export async function examinedByNobody(workspace: TestWorkspace): Promise<Examined> {
  const env = { ...CREDENTIALS, ...ledgerEnv(workspace) };
  const as = IS_ROOT ? { uid: NOBODY } : {};
  const words = ['doctor', '--json', '--offline', '--workspace', workspace.root];
  return examinedBy(await startCli(words, { cwd: '/', env, ...as }).ended);
}

function examinedBy(result: CliResult): Examined {
  const { checks } = documentOf<{ checks: readonly ExaminedFinding[] }>(result);
  return {
    code: result.code,
    output: result.stdout + result.stderr,
    all: checks,
    wrong: checks
      .filter(({ verdict }) => verdict !== 'ok')
      .map(({ check, verdict, message, remedy }) => `${verdict} ${check}: ${message}. ${remedy}`),
  };
}

/**
 * Fails unless doctor ended so and found exactly these faults, each with a remedy, and has looked at everything else too.
 * @param faults a pattern for each line of `wrong`, in their order.
 */
export function finds({ code, all, wrong, output }: Examined, exit: number, faults: readonly RegExp[]): void {
  expect(wrong, output).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  expect(code).toBe(exit);
  const bare = all.filter(({ verdict, remedy }) => verdict !== 'ok' && remedy.trim() === '');
  expect(bare).toEqual([]);
  const looked = new Set<string>(all.map(({ check }) => check));
  expect(ALWAYS.filter((check) => !looked.has(check))).toEqual([]);
}

/** What doctor looks at whatever else is wrong. */
const ALWAYS = ['node', 'configuration', 'folder', 'ledger', 'clock', 'disk'];
