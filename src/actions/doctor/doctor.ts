import { CONFIG_FILE, databaseIn, type LoadedConfig, loadConfig } from '../../config/load-config.js';
import type { Config } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { isReadOnlyDisk } from '../../domain/process/who-may.js';
import { countOf } from '../../domain/text/count-of.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import { resultTargetOf } from '../../inbox/result-place.js';
import { disconnect } from '../../ledger/store/open.js';
import type { Ledger } from '../../ledger/store/query.js';
import { requireDriver } from '../../ledger/store/sqlite/driver.js';
import { openExpectedToRead } from '../../upkeep/expected-ledger.js';
import { damageOf } from '../../upkeep/explain-damage.js';
import { type WorkspacePaths, workspacePaths } from '../../workspace/folders.js';
import type { LocatedWorkspace, Surroundings } from '../context.js';
import { readHealth } from '../health/read-health.js';
import { checkRemote } from '../inboxes/check-remote.js';
import { checkTarget } from '../inboxes/check-target.js';
import { checkDisk } from './check-disk.js';
import { checkFolders } from './check-folders.js';
import { checkHealth } from './check-health.js';
import { checkInboxes } from './check-inboxes.js';
import { checkKeys } from './check-keys.js';
import { checkClock, checkLedger, checkWork } from './check-ledger.js';
import { checkNode } from './check-node.js';
import { brokenBy, type Finding, findings } from './finding.js';

/** What doctor checks. */
export interface DoctorRequest {
  /** The variables that registrar.yaml may refer to. */
  readonly env: Surroundings['env'];
  /** True: no token is requested. */
  readonly isOffline: boolean;
  /** True: indexes and records are compared with what was written. */
  readonly isDeep: boolean;
  /** Ends the wait for a platform. Its signal is read only where doctor waits for one. */
  readonly interrupt: { readonly signal: AbortSignal };
}

/**
 * Looks at everything a run relies on, and yields each finding as soon as it is known: a token may take half a minute.
 * Works with any registrar.yaml, even a wrong one; changes nothing.
 */
export async function* doctor(
  { paths: { root }, clock }: LocatedWorkspace,
  { env, isOffline, isDeep, interrupt }: DoctorRequest,
): AsyncGenerator<Finding> {
  yield checkNode(process.version, process.execPath);
  const loaded = tryToLoad(root, env);
  const isRight = 'config' in loaded;
  const config = isRight ? loaded.config : withoutCredentials(root, env);
  const paths = workspacePaths(root, config ?? databaseIn(root, env));
  yield* configurationFindings(loaded);
  yield* checkFolders(paths, config);
  const sources = config?.sources ?? [];
  if (config !== null) yield* checkInboxes({ paths, clock, sources, allSources: sources });
  if (isRight) yield* checkKeys(sources);
  const isUsable = yield* ledgerFindings(paths, clock, config, isDeep);
  yield await checkDisk(paths);
  if (isOffline) return;
  for (const source of isRight ? sources : []) {
    const remote = remoteInboxOf(source);
    if (remote !== null) yield* checkRemote(remote, paths.root, { isMoving: false }, interrupt.signal);
    const target = resultTargetOf(source);
    if (target !== null && config !== null)
      yield* checkTarget(target, { config, paths, clock }, { isWriting: false }, interrupt.signal);
  }
  const { attention } = findings('token', 'unavailable');
  if (!isUsable)
    yield attention(
      'all',
      'skipped: the ledger, which counts requests, is unusable',
      'Repair the ledger first.',
    );
  else if (!isRight || config === null)
    yield attention('all', 'skipped: the configuration is invalid', 'Correct that first.');
  else {
    const { checkEnvironments } = await import('./check-environments.js');
    yield* checkEnvironments(config, paths, clock, interrupt.signal);
  }
}

function tryToLoad(folder: string, env: Surroundings['env']): LoadedConfig | OperatorError {
  try {
    return loadConfig(folder, env);
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

/** What a configuration says of folders and sources where nothing but its credentials can't be used; null where more is wrong. */
function withoutCredentials(folder: string, env: Surroundings['env']): Config | null {
  try {
    return loadConfig(folder, env, 'unused').config;
  } catch (error) {
    if (error instanceof OperatorError) return null;
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
  for (const warning of warnings) yield attention(subject, warning, 'Nothing stops for it; correct it soon.');
}

/** @returns whether it can be used; true also where there is none yet. */
async function* ledgerFindings(
  paths: WorkspacePaths,
  clock: Clock,
  config: Config | null,
  isDeep: boolean,
): AsyncGenerator<Finding, boolean> {
  const { ok } = findings('ledger', 'io');
  let ledger: Ledger | null;
  try {
    // Where there is no ledger yet, nothing else would show that the driver can't make one.
    requireDriver();
    ledger = await openExpectedToRead(paths, clock);
  } catch (error) {
    // A disk that can't be written is named with the folders.
    if (!isReadOnlyDisk(paths.root)) yield brokenBy(error, paths.ledger);
    yield* checkClock(clock, null);
    return false;
  }
  if (ledger === null) {
    yield ok(paths.ledger, 'there is none yet; the first run makes it');
    yield* checkClock(clock, null);
    return true;
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
