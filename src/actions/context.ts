import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CredentialsNeed, Environment } from '../config/env-references.js';
import { CONFIG_FILE, databaseIn, loadConfig } from '../config/load-config.js';
import type { Config, SourceConfig } from '../config/schema.js';
import { type Clock, systemClock } from '../domain/clock.js';
import { errorsOf, type OperatorError } from '../domain/operator-error.js';
import { isDenied } from '../domain/process/who-may.js';
import { disconnect, withLedger } from '../ledger/store/open.js';
import type { Ledger } from '../ledger/store/query.js';
import {
  openExpectedLedger,
  openExpectedToRead,
  requireInPlace,
  updateMarker,
} from '../upkeep/expected-ledger.js';
import { damageOf } from '../upkeep/explain-damage.js';
import { openWorkspace as makeFolders, type WorkspacePaths, workspacePaths } from '../workspace/folders.js';

/** A workspace's configuration, with no folders or ledger opened yet. */
export interface Workspace {
  readonly config: Config;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
  /** The variables that registrar.yaml refers to; null: it isn't read again while the workspace is open. */
  readonly env: Environment | null;
  /** Sentences about settings of registrar.yaml that need attention. */
  readonly warnings: readonly string[];
}

export interface ActionContext extends Omit<Workspace, 'warnings'> {
  readonly ledger: Ledger;
}

/** Where a workspace is; its registrar.yaml is not read. */
export type LocatedWorkspace = Pick<Workspace, 'paths' | 'clock'>;

export interface ProcessContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/**
 * Finds a workspace and reads its configuration; writes nothing.
 * @param credentials `unused` where no platform is used; then the client id must not be used.
 */
export function readWorkspace(
  folder: string | undefined,
  { env, cwd }: ProcessContext,
  credentials: CredentialsNeed = 'needed',
): Workspace {
  const root = findWorkspace(folder, env, cwd);
  const { config, warnings } = loadConfig(root, env, credentials);
  return { config, paths: workspacePaths(root, config), clock: systemClock(), env, warnings };
}

/** Finds a workspace without reading its configuration: for commands that must work with a wrong registrar.yaml too. */
export function locateWorkspace(folder: string | undefined, { env, cwd }: ProcessContext): LocatedWorkspace {
  const root = findWorkspace(folder, env, cwd);
  return { paths: workspacePaths(root, databaseIn(root, env)), clock: systemClock() };
}

/** Opens a workspace, and creates its folders and its first ledger. The caller closes it. */
export async function openWorkspace(workspace: Workspace): Promise<ActionContext> {
  const { config, paths, clock } = workspace;
  await makeFolders(paths.root, config);
  return { ...workspace, ledger: await openExpectedLedger(paths, clock) };
}

/** An open workspace after its configuration was reloaded: new folders are created, the ledger stays open. */
export async function reconfigured({ ledger }: ActionContext, workspace: Workspace): Promise<ActionContext> {
  await makeFolders(workspace.paths.root, workspace.config);
  return { ...workspace, ledger };
}

/** Opens a workspace read-only; null if it has never had a ledger. */
export async function openReadOnly(workspace: Workspace): Promise<ActionContext | null> {
  const ledger = await openExpectedToRead(workspace.paths, workspace.clock);
  return ledger && { ...workspace, ledger };
}

/** Runs `work` on the ledger, opened read-only; null if there has never been one. */
export async function withReadOnlyLedger<T>(
  { paths, clock }: LocatedWorkspace,
  work: (ledger: Ledger | null) => Promise<T>,
): Promise<T> {
  const ledger = await openExpectedToRead(paths, clock);
  return ledger === null ? work(null) : withLedger(ledger, work);
}

/** Returns the open workspace. Throws OperatorError if its ledger was moved, deleted or replaced. */
export function inPlace(context: ActionContext): ActionContext {
  requireInPlace(context.ledger);
  return context;
}

export async function closeWorkspace({ ledger }: ActionContext): Promise<void> {
  await disconnect(ledger);
}

/** Records in the marker file how far the ledger goes, after an action. */
export function updateLedgerMarker({ ledger, paths }: ActionContext): void {
  updateMarker(ledger, paths);
}

/** Damage of the ledger that explains an error which looks like a bug; null: the ledger is sound. */
export async function findDamage({ ledger }: ActionContext, error: unknown): Promise<unknown> {
  return damageOf(ledger, error);
}

/** Throws OperatorError, listing the names, if no source has this one. */
export function sourceNamed({ sources }: Config, name: string): SourceConfig {
  const source = sources.find((candidate) => candidate.name === name);
  if (source) return source;
  throw noneNamed(
    'source',
    name,
    sources.map((candidate) => candidate.name),
  );
}

/** Returns the name. Throws OperatorError, listing the names, if no environment has this one. */
export function environmentNamed({ environments }: Config, name: string): string {
  const names = Object.keys(environments);
  if (names.includes(name)) return name;
  throw noneNamed('environment', name, names);
}

function noneNamed(what: string, name: string, names: readonly string[]): OperatorError {
  const message = `registrar.yaml has no ${what} "${name}"`;
  return errorsOf(`choose a ${what}`)(name, message, `It has: ${names.join(', ')}.`, { reason: 'not-found' });
}

/**
 * The absolute folder of the workspace: `--workspace`, else REGISTRAR_WORKSPACE, else the current folder. Throws OperatorError
 * where that folder holds no registrar.yaml; a named workspace is never replaced by another.
 */
export function findWorkspace(
  workspace: string | undefined,
  env: ProcessContext['env'],
  currentFolder: string,
): string {
  const location = workspace ?? (env.REGISTRAR_WORKSPACE || undefined);
  const folder = resolve(currentFolder, location ?? '.');
  if (mayExist(join(folder, CONFIG_FILE))) return folder;
  const by = workspace === undefined ? 'REGISTRAR_WORKSPACE' : '--workspace';
  throw errorsOf('find the workspace')(
    folder,
    location === undefined
      ? `${folder} isn't a workspace: it has no ${CONFIG_FILE}, and neither --workspace nor REGISTRAR_WORKSPACE names one`
      : `${folder}, named by ${by}, isn't a workspace: it has no ${CONFIG_FILE}`,
    `Make one with registrar init${location === undefined ? '' : ' for that folder'}, or name another with --workspace.`,
  );
}

/** A folder that denies access may hold one: reading it gives the error. */
function mayExist(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return isDenied(error);
  }
}
