import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ConfigError } from '../../config/config-error.js';
import type { Environment } from '../../config/env-references.js';
import { loadConfig } from '../../config/load-config.js';
import type { SourceConfig } from '../../config/schema.js';
import type { UnmatchedFile } from '../../documents/common.js';
import { isoFromMs } from '../../domain/clock.js';
import type { Fault } from '../../domain/health/health.js';
import type { InboxFacts } from '../../domain/health/judge-files.js';
import { OperatorError } from '../../domain/operator-error.js';
import { mapSeries } from '../../domain/process/series.js';
import { capitalized } from '../../domain/text/count-of.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import type { PresentState } from '../../ledger/books/state/read-state.js';
import type { RemoteInbox } from '../../ledger/drops/record-inbox.js';
import { ledgerName } from '../../ledger/store/ledger-facts.js';
import type { Ledger } from '../../ledger/store/query.js';
import { canWrite } from '../../ledger/store/sqlite/file-health.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import { claimedFiles } from '../../workspace/claimed/claim-drop.js';
import { errorCode } from '../../workspace/files/io-error.js';
import { fileSystemOf, listInbox } from '../../workspace/inbox/list-inbox.js';
import type { ActionContext } from '../context.js';

/** SQLite's log may grow that far between two checkpoints. */
const MIN_FREE_BYTES = 100_000_000;

/** Staging commits every second: a process that holds the lock longer is stuck. */
const LOCK_MS = 3_000;

/** The mistakes in registrar.yaml on disk; [] if it is valid. */
export function configurationMistakes(root: string, env: Environment): readonly string[] {
  try {
    loadConfig(root, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Why the ledger is missing or can't be written; null: it can. @param ledger null: there has never been one. */
export async function ledgerFault(ledger: Ledger | null): Promise<Fault | null> {
  if (ledger === null) return null;
  try {
    requireInPlace(ledger);
    if (await canWrite(ledger, LOCK_MS)) return null;
    return {
      code: 'ledger-locked',
      message: `${ledgerName(ledger)} has been locked by another process for more than ${LOCK_MS / 1_000} s: nothing can be written.`,
      remedy: 'Close other programs that have it open, such as an SQLite shell with a transaction.',
    };
  } catch (error) {
    if (error instanceof OperatorError) {
      return { code: 'ledger-missing', message: `${error.message}.`, remedy: error.hint };
    }
    return {
      code: 'ledger-unusable',
      message: `${ledgerName(ledger)} can't be written: ${error instanceof Error ? error.message : String(error)}.`,
      remedy: 'See registrar doctor.',
    };
  }
}

/** null: the disk has enough space. */
export async function diskFault(root: string): Promise<Fault | null> {
  const { bavail, bsize } = await statfs(root);
  const freeBytes = bavail * bsize;
  if (freeBytes >= MIN_FREE_BYTES) return null;
  const mb = (bytes: number) => Math.floor(bytes / 1_000_000);
  return {
    code: 'disk-full',
    message: `${mb(freeBytes)} MB are free at ${root}, and the ledger needs ${mb(MIN_FREE_BYTES)} MB.`,
    remedy: 'Free disk space. Nothing is lost: work resumes by itself.',
  };
}

/** Checks the inbox of each source; reads no file. @param known from the ledger; null: it can't be read. */
export async function lookAtInboxes(
  { config, paths }: Pick<ActionContext, 'config' | 'paths'>,
  unmatched: readonly UnmatchedFile[],
  known: Pick<PresentState, 'fileSystems' | 'remoteInboxes' | 'work'> | null,
): Promise<InboxFacts[]> {
  const isStaging = known?.work.leases.some(({ name, isAlive }) => name === 'stage' && isAlive);
  return mapSeries(config.sources, async (source) => {
    const folder = paths.inbox(source);
    // The file system of the inbox when a file was last imported from it.
    const expected = known?.fileSystems.get(source.name);
    const claimed = isStaging ? [] : await claimedFiles(join(paths.processing, source.name));
    const facts = {
      source: source.name,
      unmatched: unmatched.filter((file) => file.source === source.name).length,
      claimedAt: claimed.map(({ ctimeMs }) => isoFromMs(Math.floor(ctimeMs))),
    };
    try {
      const take = await listInbox(source, paths);
      const unmounted = take.length === 0 ? await mountFault(source, folder, expected) : null;
      const fault = unmounted ?? awayFault(source, known?.remoteInboxes ?? []);
      const arrivedAt = take.map(({ mtimeMs, ctimeMs }) => isoFromMs(Math.floor(Math.max(mtimeMs, ctimeMs))));
      return { ...facts, fault, arrivedAt };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      // A run creates a missing inbox of the workspace.
      const willBeCreated = errorCode(error.cause) === 'ENOENT' && folder.startsWith(paths.root + sep);
      if (willBeCreated && expected === undefined) return { ...facts, fault: null, arrivedAt: [] };
      const fault: Fault = {
        code: 'inbox-unreadable',
        message: `The inbox of source ${source.name} can't be read: ${error.message}.`,
        remedy: error.hint,
      };
      return { ...facts, fault, arrivedAt: [] };
    }
  });
}

function awayFault(source: SourceConfig, remote: readonly RemoteInbox[]): Fault | null {
  const away = remote.find((inbox) => inbox.source === source.name)?.away ?? null;
  if (away === null || remoteInboxOf(source) === null) return null;
  const { since, message, remedy } = away;
  return { code: 'inbox-away', since, message: `${capitalized(message)}.`, remedy };
}

/** An empty folder on another file system than that of the last file: the share isn't mounted. */
async function mountFault(
  { name }: SourceConfig,
  folder: string,
  expected: string | undefined,
): Promise<Fault | null> {
  const now = await fileSystemOf(folder);
  if (expected === undefined || now === null || now === expected) return null;
  return {
    code: 'inbox-unmounted',
    message: `The inbox of source ${name}, ${folder}, is empty, and on another file system than when its last file came.`,
    remedy: 'Mount the share again. If the inbox was moved on purpose, the next file clears this.',
  };
}

/** The unit that starts services at boot, as its installation links it. */
const UNIT = '/etc/systemd/system/multi-user.target.wants/registrar.service';

/** True if systemd is set up to run a service of this workspace. */
export function hasEnabledUnit(root: string): boolean {
  try {
    return readFileSync(UNIT, 'utf8').includes(root);
  } catch {
    return false;
  }
}
