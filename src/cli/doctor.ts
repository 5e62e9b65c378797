import type { Command } from 'commander';
import { checkChanged } from '../actions/doctor/check-changed.js';
import { checkFolders } from '../actions/doctor/check-folders.js';
import { checkInboxes } from '../actions/doctor/check-inboxes.js';
import { checkClock, checkLedger, checkWork } from '../actions/doctor/check-ledger.js';
import { type Finding, findings } from '../actions/doctor/finding.js';
import { type LoadedConfig, loadConfig } from '../config/load-config.js';
import type { Config } from '../config/schema.js';
import { type Clock, systemClock } from '../domain/clock.js';
import { countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { visibleStrings } from '../domain/visible-text.js';
import { requireDriver } from '../ledger/driver.js';
import { closeLedger } from '../ledger/open.js';
import type { Ledger } from '../ledger/query.js';
import { operationNamed } from '../operations/registry.js';
import { submitCompletion } from '../operations/submit-completion.js';
import { openExpectedLedger, openExpectedToRead } from '../upkeep/expected-ledger.js';
import { findWorkspace } from '../workspace/find-workspace.js';
import { type WorkspacePaths, workspacePaths } from '../workspace/folders.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, show } from './io.js';
import { explained } from './session.js';

interface DoctorOptions extends CommonOptions {
  readonly offline?: boolean;
  readonly deep?: boolean;
}

/** `registrar doctor`: looks at everything a run relies on, one line each; changes nothing. */
export function addDoctor(program: Command, io: Io, interrupt: Interrupt, finish: Finish): void {
  program
    .command('doctor')
    .description('look at configuration, folders, ledger, clock and credentials; one line each')
    .option('--offline', 'ask no platform for a token')
    .option('--deep', 'compare all indexes, records and kept cells of the ledger with what was written')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DoctorOptions>();
      const folder = findWorkspace(options.workspace, io.env, io.cwd);
      const examined: Finding[] = [];
      for await (const finding of examine(folder, io, options, interrupt)) {
        examined.push(finding);
        if (finding.verdict === 'broken') finish(finding.exit);
        // As they come: a token may take half a minute.
        if (!options.json && !(options.quiet && finding.verdict === 'ok')) show(io, lineOf(finding));
      }
      if (options.json) io.out(`${JSON.stringify(documentOf(examined), null, 2)}\n`);
    });
}

async function* examine(
  folder: string,
  io: Io,
  options: DoctorOptions,
  interrupt: Interrupt,
): AsyncGenerator<Finding> {
  const clock = systemClock();
  const loaded = tryToLoad(folder, io);
  const config = 'config' in loaded ? loaded.config : null;
  const paths = workspacePaths(folder, config ?? undefined);
  yield* configurationFindings(loaded);
  yield* checkFolders(paths, config);
  const sources = config?.sources ?? [];
  if (config !== null) yield* checkInboxes({ paths, clock, sources, allSources: sources });
  const isUsable = yield* ledgerFindings(paths, clock, options.deep === true);
  if (options.offline || config === null) return;
  if (isUsable) yield* tokenFindings(config, paths, clock, interrupt.signal);
  else {
    const { attention } = findings('token', 'unavailable');
    yield attention('all', 'nobody was asked, as the ledger counts the requests', 'Mend the ledger first.');
  }
}

function tryToLoad(folder: string, io: Io): LoadedConfig | OperatorError {
  try {
    return loadConfig(folder, io.env);
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

function* configurationFindings(loaded: LoadedConfig | OperatorError): Generator<Finding> {
  const { ok, attention, broken } = findings('configuration', 'usage');
  const subject = 'registrar.yaml';
  if (loaded instanceof OperatorError) {
    for (const mistake of loaded.message.split('\n')) yield broken(subject, mistake.trim(), loaded.hint);
    return;
  }
  const { config, warnings } = loaded;
  const environments = Object.keys(config.environments).length;
  yield ok(subject, `${countOf(environments, 'environment')}, ${countOf(config.sources.length, 'source')}`);
  for (const warning of warnings) yield attention(subject, warning, 'Mend it when you can.');
}

/** @returns whether the ledger can be used. */
async function* ledgerFindings(
  paths: WorkspacePaths,
  clock: Clock,
  isDeep: boolean,
): AsyncGenerator<Finding, boolean> {
  const { ok, broken } = findings('ledger', 'io');
  let ledger: Ledger | null;
  try {
    // Where there is no ledger yet, nothing else would show that none can be made.
    requireDriver();
    ledger = openExpectedToRead(paths, clock);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    yield broken(error.subject, error.message, error.hint);
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
    yield* checkChanged(ledger, paths);
  } catch (error) {
    const damage = explained(ledger, error);
    if (!(damage instanceof OperatorError)) throw error;
    yield broken(paths.ledger, damage.message, damage.hint);
    return false;
  } finally {
    closeLedger(ledger);
  }
  return true;
}

/** One environment after the other, each for the scopes that its sources need. */
async function* tokenFindings(
  config: Config,
  paths: WorkspacePaths,
  clock: Clock,
  interrupt: AbortSignal,
): AsyncGenerator<Finding> {
  const { checkConnection } = await import('../actions/doctor/check-connection.js');
  const { checkToken } = await import('../actions/doctor/check-token.js');
  const { ledgerGate } = await import('../push/ledger-gate.js');
  const { quotaRule } = await import('../push/quota-rule.js');
  const ledger = openExpectedLedger(paths, clock);
  try {
    for (const [name, environment] of Object.entries(config.environments)) {
      const used = config.sources.filter((source) => source.environment === name);
      const needed = used.map(({ operation }) => operationNamed(operation).scope);
      // Any scope shows whether the credentials of an environment work that no source uses.
      const scopes = needed.length === 0 ? [submitCompletion.scope] : [...new Set(needed)];
      const gate = ledgerGate(ledger, environment.clientId, quotaRule(environment), clock, name);
      yield await checkConnection(name, environment, clock, interrupt);
      yield* checkToken(name, environment, scopes, { clock, gate, interrupt });
    }
  } finally {
    closeLedger(ledger);
  }
}

function documentOf(examined: readonly Finding[]) {
  const count = (verdict: Finding['verdict']) => examined.filter((one) => one.verdict === verdict).length;
  return {
    ok: count('ok'),
    attention: count('attention'),
    broken: count('broken'),
    checks: examined.map(({ check, subject, verdict, message, remedy }) => ({
      check,
      subject,
      verdict,
      message,
      remedy,
    })),
  };
}

function lineOf(finding: Finding): string {
  const { verdict, check, subject, message, remedy } = visibleStrings(finding);
  const lead = `${verdict.padEnd('attention'.length)}  ${check.padEnd('configuration'.length)}`;
  return `${lead}  ${subject}: ${message}${remedy === '' ? '' : `. ${remedy}`.replace(/([.!?])\. /, '$1 ')}\n`;
}
