import type { Config, EnvironmentConfig, SourceConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import { collected } from '../../domain/process/series.js';
import { disconnect } from '../../ledger/store/open.js';
import type { Ledger } from '../../ledger/store/query.js';
import { callOf } from '../../platform/calls/call-of.js';
import { COMPLETIONS_WRITE } from '../../platform/calls/platform-call.js';
import { ledgerGate } from '../../push/ledger-gate.js';
import { openExpectedLedger } from '../../upkeep/expected-ledger.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type ActionContext, environmentNamed } from '../context.js';
import { checkConnection } from './check-connection.js';
import { checkToken } from './check-token.js';
import { brokenBy, type Finding } from './finding.js';

/** Environments, and what their tokens are to be good for. */
interface Tested extends Pick<Config, 'environments'> {
  readonly sources: readonly Pick<SourceConfig, 'environment' | 'operation'>[];
}

const LONGEST_TEST_MS = 60_000;

/**
 * Tests the address and the credentials of one environment, within a minute. Throws OperatorError where registrar.yaml has no such
 * environment. @param operation of a source that is to be added; null: none is.
 */
export async function checkEnvironment(
  { config, paths, clock }: Pick<ActionContext, 'config' | 'paths' | 'clock'>,
  environment: string,
  operation: string | null,
): Promise<readonly Finding[]> {
  const name = environmentNamed(config, environment);
  const environments = { [name]: config.environments[name] as EnvironmentConfig };
  const sources = [...config.sources, ...(operation === null ? [] : [{ environment: name, operation }])];
  const stop = AbortSignal.timeout(LONGEST_TEST_MS);
  return collected(checkEnvironments({ environments, sources }, paths, clock, stop));
}

/**
 * Requests tokens of the environments one after the other, each for the scopes that its sources need, within their quotas.
 * @param tokensAlone true: no token is tried on the API, and none is requested where the platform can't be reached.
 */
export async function* checkEnvironments(
  { environments, sources }: Tested,
  paths: WorkspacePaths,
  clock: Clock,
  interrupt: AbortSignal,
  { tokensAlone = false }: { readonly tokensAlone?: boolean } = {},
): AsyncGenerator<Finding> {
  let ledger: Ledger | null = null;
  try {
    ledger = await openExpectedLedger(paths, clock);
    for (const [name, environment] of Object.entries(environments)) {
      const used = sources.filter((source) => source.environment === name);
      const needed = used.map(({ operation }) => callOf(operation).scope);
      // For an environment that no source uses, any scope shows whether its credentials work.
      const scopes = needed.length === 0 ? [COMPLETIONS_WRITE] : [...new Set(needed)];
      const gate = ledgerGate(ledger, environment, clock, name);
      const reached = await checkConnection(name, environment, clock, interrupt);
      yield reached;
      if (tokensAlone && reached.verdict === 'broken') continue;
      yield* checkToken(name, environment, scopes, { clock, gate, interrupt, isTried: !tokensAlone });
    }
  } catch (error) {
    // Such as a lock that another program holds since: the other findings remain valid.
    yield brokenBy(error, paths.ledger);
  } finally {
    if (ledger !== null) await disconnect(ledger);
  }
}
