import { statfs } from 'node:fs/promises';
import { CONFIG_FILE, databaseIn, type LoadedConfig, loadConfig } from '../../config/load-config.js';
import type { Config, SourceConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import type { Health, HealthFinding } from '../../domain/health/health.js';
import { OperatorError } from '../../domain/operator-error.js';
import { countOf } from '../../domain/text/count-of.js';
import { pgpKeys } from '../../intake/container/decrypt-pgp.js';
import { disconnect } from '../../ledger/store/open.js';
import type { Ledger } from '../../ledger/store/query.js';
import { requireDriver } from '../../ledger/store/sqlite/driver.js';
import { openExpectedToRead } from '../../upkeep/expected-ledger.js';
import { damageOf } from '../../upkeep/explain-damage.js';
import { findUnmatched, type InboxSearch } from '../../upkeep/find-unmatched.js';
import { OLDEST_NODE } from '../../version.js';
import { type WorkspacePaths, workspacePaths } from '../../workspace/folders.js';
import type { LocatedWorkspace, ProcessContext } from '../context.js';
import { diskFault } from '../health/check-workspace.js';
import { readHealth } from '../health/read-health.js';
import { checkPlaces } from '../inboxes/check-places.js';
import { checkFolders } from './check-folders.js';
import { checkClock, checkLedger, checkWork } from './check-ledger.js';
import { brokenBy, type Finding, findings } from './finding.js';

const node = findings('node', 'io');

function checkNode(version: string, path: string): Finding {
  const message = `Node.js ${version}; Registrar needs ${OLDEST_NODE} or newer`;
  const remedy = 'Install a newer Node.js, then run npm ci where Registrar is installed.';
  const isOlder = version.slice(1).localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0;
  return isOlder ? node.broken(path, message, remedy) : node.ok(path, message);
}

const key = findings('key', 'usage');

async function* checkKeys(sources: readonly SourceConfig[]): AsyncGenerator<Finding> {
  for (const { name, decrypt } of sources) {
    if (decrypt === undefined) continue;
    try {
      await pgpKeys(decrypt, name);
      yield key.ok(name, 'its files can be decrypted');
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      yield key.broken(error.subject, error.message, error.hint);
    }
  }
}

const inbox = findings('inbox', 'io');

async function* checkInboxes(search: InboxSearch): AsyncGenerator<Finding> {
  const unmatched = await findUnmatched(search);
  for (const { path, reason, remedy } of unmatched) yield inbox.attention(path, reason, remedy);
  if (unmatched.length === 0) yield inbox.ok('all', 'no unmatched files');
}

const health = findings('health', 'attention');

/**
 * What health found. An environment is judged by its last run there, which doctor itself checks again; deadlines and the like
 * need attention, and don't make doctor fail.
 */
function* checkHealth({ findings }: Pick<Health, 'findings'>): Generator<Finding> {
  for (const { part, state, message, remedy, exit, ...about } of findings) {
    const subject = about.subject === 'registrar' ? part : `${part} ${about.subject}`;
    const isBroken = state === 'failed' && BROKEN_PARTS.includes(part);
    yield isBroken
      ? health.broken(subject, message, remedy, exit)
      : health.attention(subject, message, remedy);
  }
  if (findings.length === 0) yield health.ok('all', 'healthy');
}

const BROKEN_PARTS: readonly HealthFinding['part'][] = ['books', 'inbox', 'backup'];

const disk = findings('disk', 'io');

/** Types of file systems as `statfs` numbers them, on which SQLite's locks don't hold. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
]);

/** Checks that the ledger's file system is local and has free space. */
export async function checkDisk({ root }: Pick<WorkspacePaths, 'root'>): Promise<Finding> {
  const { bavail, bsize, type } = await statfs(root);
  const network = NETWORK_TYPES.get(type);
  if (network !== undefined) {
    const message = `the ledger is on a network file system (${network}), where SQLite's locks don't hold`;
    return disk.broken(root, message, 'Move the workspace to a local disk; an inbox may stay where it is.');
  }
  const fault = await diskFault(root);
  return fault === null
    ? disk.ok(root, `${Math.floor((bavail * bsize) / 1_000_000)} MB are free`)
    : disk.broken(root, fault.message, fault.remedy);
}

interface DoctorRequest {
  readonly env: ProcessContext['env'];
  /** True: requests no token. */
  readonly isOffline: boolean;
  /** True: indexes and records are compared with what was written. */
  readonly isDeep: boolean;
  /** Its signal is read only where doctor waits for a platform. */
  readonly interrupt: { readonly signal: AbortSignal };
}

/** Checks everything a run relies on, even with an invalid registrar.yaml; changes nothing. Yields each finding at once. */
export async function* doctor(
  { paths: { root }, clock }: LocatedWorkspace,
  { env, isOffline, isDeep, interrupt }: DoctorRequest,
): AsyncGenerator<Finding> {
  yield checkNode(process.version, process.execPath);
  const loaded = tryToLoad(root, env);
  const isValid = 'config' in loaded;
  // What it says of folders and sources can be used where nothing but its credentials can't.
  const usable = isValid ? loaded : tryToLoad(root, env, 'unused');
  const config = 'config' in usable ? usable.config : null;
  const paths = workspacePaths(root, config ?? databaseIn(root, env));
  yield* configurationFindings(loaded);
  yield* checkFolders(paths, config);
  const sources = config?.sources ?? [];
  if (config !== null) yield* checkInboxes({ paths, clock, config });
  if (isValid) yield* checkKeys(sources);
  const isUsable = yield* ledgerFindings(paths, clock, config, isDeep);
  yield await checkDisk(paths);
  if (isOffline) return;
  if (isValid) {
    const context = { config: loaded.config, paths, clock };
    for (const source of sources) yield* checkPlaces(source, context, false, interrupt.signal);
  }
  const { attention } = findings('token', 'unavailable');
  if (!isUsable) yield attention('all', 'skipped: the ledger is unusable', 'Repair the ledger first.');
  else if (!isValid || config === null)
    yield attention('all', 'skipped: the configuration is invalid', 'Correct that first.');
  else {
    const { checkEnvironments } = await import('./check-environments.js');
    yield* checkEnvironments(config, paths, clock, interrupt.signal);
  }
}

function tryToLoad(...request: Parameters<typeof loadConfig>): LoadedConfig | OperatorError {
  try {
    return loadConfig(...request);
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

function* configurationFindings(loaded: LoadedConfig | OperatorError): Generator<Finding> {
  const { ok, attention, broken } = findings('configuration', 'usage');
  const subject = CONFIG_FILE;
  if (loaded instanceof OperatorError) {
    const remedy = loaded.hint || 'Correct it: until then nothing is imported or sent.';
    for (const mistake of loaded.message.split('\n'))
      yield broken(subject, mistake.trim(), remedy, loaded.exit);
    return;
  }
  const { config, warnings } = loaded;
  const environments = Object.keys(config.environments).length;
  yield ok(subject, `${countOf(environments, 'environment')}, ${countOf(config.sources.length, 'source')}`);
  for (const warning of warnings) yield attention(subject, warning, 'Work continues; correct it soon.');
}

/** @returns whether it can be used; true also where there is none yet. */
async function* ledgerFindings(
  paths: WorkspacePaths,
  clock: Clock,
  config: Config | null,
  isDeep: boolean,
): AsyncGenerator<Finding, boolean> {
  let ledger: Ledger | null = null;
  let fault: Finding | null = null;
  try {
    // Where there is no ledger yet, nothing else would show that the driver can't make one.
    requireDriver();
    ledger = await openExpectedToRead(paths, clock);
  } catch (error) {
    fault = brokenBy(error, paths.ledger);
  }
  if (ledger === null) {
    yield fault ?? findings('ledger', 'io').ok(paths.ledger, "doesn't exist yet; the first run creates it");
    yield* checkClock(clock, null);
    return fault === null;
  }
  try {
    yield* checkLedger(ledger, isDeep);
    yield* checkClock(clock, ledger);
    yield* checkWork(ledger, paths);
    if (config !== null) {
      yield* checkHealth(await readHealth({ ledger, config, paths, clock, env: null }));
    }
  } catch (error) {
    const damage = error instanceof OperatorError ? error : await damageOf(ledger, error);
    yield brokenBy(damage ?? error, paths.ledger);
    return false;
  } finally {
    await disconnect(ledger);
  }
  return true;
}
