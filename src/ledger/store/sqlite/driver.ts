import { fileURLToPath } from 'node:url';
import BetterSqlite3, { type Database, type Options } from 'better-sqlite3';
import type { OperatorError } from '../../../domain/operator-error.js';
import { INSTALLATION } from '../../../domain/process/installation.js';
import { unopened } from '../migrations.js';

/**
 * Opens a connection to an SQLite file. Throws OperatorError where the native part of the driver is missing, or was
 * built for another Node version, as after an upgrade of Node or a copy of the installation.
 */
export function openDatabase(path: string, options: Options = {}): Database {
  try {
    return new BetterSqlite3(path, options);
  } catch (error) {
    throw unbuilt(error) ?? error;
  }
}

/** Throws OperatorError where the driver can't be used; opens no file. */
export function requireDriver(): void {
  openDatabase(':memory:').close();
}

function unbuilt(error: unknown): OperatorError | null {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  const isMissing = /Could not locate the bindings file/.test(message);
  if (!isMissing && code !== 'ERR_DLOPEN_FAILED') return null;
  const [, built] = /using\s+NODE_MODULE_VERSION (\d+)/.exec(message) ?? [];
  const why =
    built === undefined
      ? `it has not been built, or can't be loaded: ${message.split('\n')[0]}`
      : `it was built for another Node, with NODE_MODULE_VERSION ${built}`;
  const { version, versions, platform, arch } = process;
  const fault = `the native part of better-sqlite3, which reads and writes the ledger, can't be used by Node ${version} (NODE_MODULE_VERSION ${versions.modules}, ${platform} ${arch}): ${why}`;
  const hint = `Build it for this Node: npm rebuild better-sqlite3 (or npm ci) in ${fileURLToPath(INSTALLATION)}; or use the Node that it was built for. Nothing was changed.`;
  return unopened('better-sqlite3', fault, hint, { exit: 'io', cause: error });
}
