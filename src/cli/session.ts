import type { CredentialsNeed } from '../config/env-references.js';
import { type LoadedConfig, loadConfig } from '../config/load-config.js';
import type { Config } from '../config/schema.js';
import { type Clock, systemClock } from '../domain/clock.js';
import { closeLedger } from '../ledger/open.js';
import type { Ledger } from '../ledger/query.js';
import { keepMarker, openExpectedLedger } from '../upkeep/expected-ledger.js';
import { damageOf } from '../upkeep/explain-damage.js';
import { findWorkspace } from '../workspace/find-workspace.js';
import { openWorkspace, type WorkspacePaths, workspacePaths } from '../workspace/folders.js';
import { describeFailure } from './describe-failure.js';
import type { CommonOptions, Io } from './io.js';

/** A workspace's configuration, before anything of it is touched. */
export interface Workspace {
  readonly config: Config;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
}

/** An open workspace. */
export interface Session extends Workspace {
  readonly ledger: Ledger;
}

/**
 * Finds the workspace and reads its configuration; writes nothing. Warnings go to stderr.
 * @param credentials `unused` for a command that asks no platform; it must not look at a client id then.
 */
function readWorkspace(io: Io, options: CommonOptions, credentials: CredentialsNeed = 'needed'): Workspace {
  const folder = findWorkspace(options.workspace, io.env, io.cwd);
  const loaded: LoadedConfig = loadConfig(folder, io.env, credentials);
  for (const warning of loaded.warnings) io.err(`warning: ${warning}\n`);
  return { config: loaded.config, paths: workspacePaths(folder, loaded.config), clock: systemClock() };
}

/** Opens the workspace with its folders and its ledger, runs `work`, and closes the ledger again. */
export async function withSession<T>(
  io: Io,
  options: CommonOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { config, clock, paths } = readWorkspace(io, options);
  await openWorkspace(paths.root, config);
  const ledger = openExpectedLedger(paths, clock);
  try {
    const done = await work({ config, clock, paths, ledger });
    keepMarker(ledger, paths);
    return done;
  } catch (error) {
    throw explained(ledger, error);
  } finally {
    closeLedger(ledger);
  }
}

/** The damage of the ledger that is behind an error which looks like a bug; else the error itself. */
export function explained(ledger: Ledger, error: unknown): unknown {
  return describeFailure(error).exit === 'bug' ? (damageOf(ledger, error) ?? error) : error;
}
