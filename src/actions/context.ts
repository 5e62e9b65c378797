import type { CredentialsNeed } from '../config/env-references.js';
import { loadConfig } from '../config/load-config.js';
import type { Config, SourceConfig } from '../config/schema.js';
import { type Clock, systemClock } from '../domain/clock.js';
import { OperatorError } from '../domain/operator-error.js';
import { closeLedger } from '../ledger/store/open.js';
import type { Ledger } from '../ledger/store/query.js';
import { keepMarker, openExpectedLedger, openExpectedToRead } from '../upkeep/expected-ledger.js';
import { damageOf } from '../upkeep/explain-damage.js';
import { findWorkspace } from '../workspace/find-workspace.js';
import { openWorkspace as makeFolders, type WorkspacePaths, workspacePaths } from '../workspace/folders.js';

/** A workspace's configuration, before anything of it is touched. */
export interface Workspace {
  readonly config: Config;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
  /** What registrar.yaml says that somebody should look at. */
  readonly warnings: readonly string[];
}

/** What an action works on: an open workspace. */
export interface ActionContext extends Omit<Workspace, 'warnings'> {
  readonly ledger: Ledger;
}

/** Where a workspace is, whatever its registrar.yaml says. */
export type LocatedWorkspace = Pick<Workspace, 'paths' | 'clock'>;

/** Where a workspace is looked for. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * Finds a workspace and reads its configuration; writes nothing.
 * @param folder undefined: where the surroundings say.
 * @param credentials `unused` where no platform is asked; a client id must not be looked at then.
 */
export function readWorkspace(
  folder: string | undefined,
  { env, cwd }: Surroundings,
  credentials: CredentialsNeed = 'needed',
): Workspace {
  const root = findWorkspace(folder, env, cwd);
  const { config, warnings } = loadConfig(root, env, credentials);
  return { config, paths: workspacePaths(root, config), clock: systemClock(), warnings };
}

/** Finds a workspace, and reads nothing of it: for what must work with any registrar.yaml, also a wrong one. */
export function locateWorkspace(folder: string | undefined, { env, cwd }: Surroundings): LocatedWorkspace {
  return { paths: workspacePaths(findWorkspace(folder, env, cwd)), clock: systemClock() };
}

/** Opens a workspace with its folders and its ledger, made where there has never been one. To be closed again. */
export async function openWorkspace({ config, paths, clock }: Workspace): Promise<ActionContext> {
  await makeFolders(paths.root, config);
  return { config, paths, clock, ledger: await openExpectedLedger(paths, clock) };
}

/** The same without the right to change anything; null where there has never been a ledger. */
export async function openToRead({ config, paths, clock }: Workspace): Promise<ActionContext | null> {
  const ledger = await openExpectedToRead(paths, clock);
  return ledger === null ? null : { config, paths, clock, ledger };
}

/** Closes what was opened. */
export function closeWorkspace({ ledger }: ActionContext): void {
  closeLedger(ledger);
}

/** Writes down how far the ledger goes, once an action has come to its end. */
export function keepReach({ ledger, paths }: ActionContext): void {
  keepMarker(ledger, paths);
}

/** The damage of the ledger that is behind an error which looks like a bug; null: there is none. */
export async function damageBehind({ ledger }: ActionContext, error: unknown): Promise<unknown> {
  return damageOf(ledger, error);
}

/** The source of that name; an error that lists the names when there is none. */
export function sourceNamed(config: Config, name: string): SourceConfig {
  const source = config.sources.find((candidate) => candidate.name === name);
  if (source) return source;
  throw new OperatorError({
    operation: 'choose a source',
    subject: name,
    message: `registrar.yaml has no source "${name}"`,
    hint: `It has: ${config.sources.map((known) => known.name).join(', ')}.`,
  });
}
