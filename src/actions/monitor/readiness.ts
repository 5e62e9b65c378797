import { statfs } from 'node:fs/promises';
import { ConfigError } from '../../config/config-error.js';
import type { Environment } from '../../config/env-references.js';
import { loadConfig } from '../../config/load-config.js';
import { type ExitName, OperatorError } from '../../domain/operator-error.js';
import { canWrite } from '../../ledger/leases/write-lock.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import type { ActionContext } from '../context.js';

export const READINESS_CODES = ['configuration', 'ledger', 'ledger-locked', 'disk'] as const;

/** One reason why nothing could be taken in or delivered now. */
export interface ReadinessProblem {
  readonly code: (typeof READINESS_CODES)[number];
  /** Place, value and remedy; no secret. */
  readonly message: string;
  /** How a process ends that finds it. */
  readonly exit: ExitName;
}

/** Whether work that comes in could be done. */
export interface Readiness {
  readonly ready: boolean;
  readonly problems: readonly ReadinessProblem[];
}

/** As `registrar doctor` says: SQLite's log alone may grow that far between two checkpoints. */
const LEAST_FREE_BYTES = 100_000_000;

/** Staging commits every second: who has the lock for longer than this is stuck. */
const LOCK_MS = 3_000;

/**
 * Looks whether registrar.yaml is valid as it is on the disk now, whether the ledger is in its place and can be written, and
 * whether its disk has room. Writes nothing, and asks no platform.
 * @param ledger null: there has never been one.
 */
export async function readiness(
  { paths, ledger }: { readonly paths: WorkspacePaths; readonly ledger: ActionContext['ledger'] | null },
  env: Environment,
): Promise<Readiness> {
  const problems = [
    ...configurationProblems(paths.root, env),
    ...(ledger === null ? [] : await ledgerProblems(ledger)),
    ...(await diskProblems(paths.root)),
  ];
  return { ready: problems.length === 0, problems };
}

function configurationProblems(root: string, env: Environment): ReadinessProblem[] {
  try {
    loadConfig(root, env);
    return [];
  } catch (error) {
    const lines = error instanceof ConfigError ? error.mistakes : [sentenceOf(error)];
    return lines.map((message) => ({ code: 'configuration', message, exit: 'usage' }));
  }
}

async function ledgerProblems(ledger: ActionContext['ledger']): Promise<ReadinessProblem[]> {
  try {
    requireInPlace(ledger);
    if (await canWrite(ledger.path, ledger.clock, LOCK_MS)) return [];
    const message = `${ledger.path} is locked by another process for more than ${LOCK_MS / 1_000} s: nothing can be written. End what else has it open, such as a shell of SQLite with a transaction.`;
    return [{ code: 'ledger-locked', message, exit: 'io' }];
  } catch (error) {
    return [{ code: 'ledger', message: sentenceOf(error, ledger.path), exit: 'io' }];
  }
}

async function diskProblems(root: string): Promise<ReadinessProblem[]> {
  const { bavail, bsize } = await statfs(root);
  const freeBytes = bavail * bsize;
  if (freeBytes >= LEAST_FREE_BYTES) return [];
  const mb = (bytes: number) => Math.floor(bytes / 1_000_000);
  const message = `${root}: ${mb(freeBytes)} MB are free, and the ledger needs ${mb(LEAST_FREE_BYTES)} MB. Make room.`;
  return [{ code: 'disk', message, exit: 'io' }];
}

/** What went wrong and what to do; the words of SQLite and of the system name files, never what is in them. */
function sentenceOf(error: unknown, place?: string): string {
  if (error instanceof OperatorError) return `${error.message}. ${error.hint}`.trim();
  const said = error instanceof Error ? error.message : String(error);
  return place === undefined ? said : `${place} can't be written: ${said}. See registrar doctor.`;
}
