import type { Config, EnvironmentConfig, SourceConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import type { Fault } from '../../domain/environment/fault.js';
import type { Gate } from '../../domain/environment/gate.js';
import { collected } from '../../domain/process/series.js';
import { disconnect } from '../../ledger/store/open.js';
import type { Ledger } from '../../ledger/store/query.js';
import { faultReason, faultRemedy, placedFault } from '../../platform/answers/fault-words.js';
import { callOf } from '../../platform/calls/call-of.js';
import { COMPLETIONS_WRITE } from '../../platform/calls/platform-call.js';
import { createPlatformClient, isElsewhere, PROBE } from '../../platform/client.js';
import { createHttp } from '../../platform/http.js';
import { networkFault } from '../../platform/network-fault.js';
import { createTokenSource } from '../../platform/token.js';
import { ledgerGate } from '../../push/ledger-gate.js';
import { openExpectedLedger } from '../../upkeep/expected-ledger.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type ActionContext, environmentNamed } from '../context.js';
import { brokenBy, type Finding, findings } from './finding.js';

const connection = findings('connection', 'unavailable');
const token = findings('token', 'unavailable');

interface Tested {
  readonly name: string;
  readonly environment: EnvironmentConfig;
  readonly clock: Clock;
  readonly gate: Gate;
}

const MAX_TEST_MS = 60_000;

/** Tests the address and the credentials of one environment, within a minute. @param operation of a source to be added; null: none. */
export async function checkEnvironment(
  { config, paths, clock }: Pick<ActionContext, 'config' | 'paths' | 'clock'>,
  environment: string,
  operation: string | null,
): Promise<readonly Finding[]> {
  const name = environmentNamed(config, environment);
  const environments = { [name]: config.environments[name] as EnvironmentConfig };
  const sources = [...config.sources, ...(operation === null ? [] : [{ environment: name, operation }])];
  const stop = AbortSignal.timeout(MAX_TEST_MS);
  return collected(checkEnvironments({ environments, sources }, paths, clock, stop));
}

/**
 * Tests environments one after the other, with tokens for the scopes that their sources need, within their quotas.
 * @param isTried false: no token is tried on the API.
 */
export async function* checkEnvironments(
  config: Pick<Config, 'environments'> & {
    readonly sources: readonly Pick<SourceConfig, 'environment' | 'operation'>[];
  },
  paths: WorkspacePaths,
  clock: Clock,
  interrupt: AbortSignal,
  isTried = true,
): AsyncGenerator<Finding> {
  let ledger: Ledger | null = null;
  try {
    ledger = await openExpectedLedger(paths, clock);
    for (const [name, environment] of Object.entries(config.environments)) {
      const used = config.sources.filter((source) => source.environment === name);
      const needed = used.map(({ operation }) => callOf(operation).scope);
      // For an environment that no source uses, any scope shows whether its credentials work.
      const scopes = needed.length === 0 ? [COMPLETIONS_WRITE] : [...new Set(needed)];
      const tested = { name, environment, clock, gate: ledgerGate(ledger, environment, clock, name) };
      yield await checkConnection(tested, interrupt);
      yield* checkToken(tested, scopes, interrupt, isTried);
    }
  } catch (error) {
    // Such as a lock that another program holds since: the other findings remain valid.
    yield brokenBy(error, paths.ledger);
  } finally {
    if (ledger !== null) await disconnect(ledger);
  }
}

/** Whether the host of `baseUrl` accepts a connection, TLS and proxy included. No request leaves, so none counts in the quota. */
async function checkConnection(tested: Tested, signal: AbortSignal): Promise<Finding> {
  const { name, environment, clock } = tested;
  const http = createHttp(clock, false, environment);
  try {
    const request = { method: 'GET', url: environment.baseUrl, headers: {}, body: null };
    const bounds = { deadlineMs: environment.deadlineMs, mayLeave: () => false, signal };
    const { failure } = await http.exchange(request, bounds);
    const fault = failure === null ? null : networkFault(failure);
    if (fault !== null) return unreachable(tested, fault);
    return connection.ok(name, `can be reached (${environment.baseUrl})`);
  } finally {
    await http.close();
  }
}

/** Sends one read within the quota; a finding where `baseUrl` is not the address of the API, as far as the answer shows it. */
async function* checkBaseUrl(tested: Tested, bearer: string, signal: AbortSignal): AsyncGenerator<Finding> {
  const { environment, clock, gate } = tested;
  const permit = await gate.acquire('rerun', environment.deadlineMs, signal);
  if (permit === null) return;
  const client = createPlatformClient(environment, clock);
  signal.addEventListener('abort', () => void client.close(), { once: true });
  try {
    const answer = await client.send(PROBE, bearer, permit.mayLeave);
    const { outcome, response, failure } = answer;
    if (failure !== null) await (failure.sent ? permit.lost() : permit.unused());
    else if (outcome.kind === 'throttled') await permit.throttled(outcome.retryAfterMs);
    else await permit.answered();
    if (!isElsewhere(answer)) return;
    const answerText = `HTTP ${response?.status} to ${PROBE.method} ${PROBE.path}`;
    yield unreachable(tested, { code: 'address', message: answerText });
  } finally {
    await client.close();
  }
}

function unreachable({ name, environment }: Tested, fault: Fault): Finding {
  const placed = placedFault(environment, 'api', fault);
  return connection.broken(name, faultReason(placed), `${faultRemedy(name, placed)} Rows wait meanwhile.`);
}

/** How long the check waits for a permit: people don't wait for the end of a run that uses up the quota, or of a 429. */
const PATIENCE_MS = 30_000;

/** Requests a token for each scope, within the quota, and may try one on the API. No finding holds token or secret. */
export async function* checkToken(
  tested: Tested,
  scopes: readonly string[],
  interrupt: AbortSignal,
  isTried = true,
): AsyncGenerator<Finding> {
  const { name, environment, clock, gate } = tested;
  const waited = new AbortController();
  const over = new AbortController();
  void clock.sleep(PATIENCE_MS + environment.deadlineMs, over.signal).then(() => waited.abort());
  const signal = AbortSignal.any([waited.signal, interrupt]);
  const source = createTokenSource({ environment, gate, clock, signal });
  let issued: string | null = null;
  try {
    for (const scope of scopes) {
      const result = await source.get(scope);
      if ('token' in result) {
        issued = result.token;
        yield token.ok(name, `gives a token for ${scope}`);
      } else if (signal.aborted) {
        const remedy = 'Check again when no run is active.';
        yield token.attention(name, 'was not checked: its quota is in use', remedy);
      } else if (result.outcome.kind === 'throttled') {
        yield token.attention(name, 'answers 429: its quota is used up', 'Check again in some minutes.');
      } else {
        const { outcome } = result;
        const fault = 'fault' in outcome ? outcome.fault : undefined;
        const placed = fault && placedFault(environment, 'token', fault);
        const reason = placed ? faultReason(placed) : 'reason' in outcome ? outcome.reason : outcome.kind;
        const remedy = placed ? faultRemedy(name, placed) : `Check authUrl, client id and secret of ${name}.`;
        yield token.broken(name, `gives no token for ${scope}: ${reason}`, `${remedy} Rows wait meanwhile.`);
      }
    }
    if (issued !== null && isTried) yield* checkBaseUrl(tested, issued, signal);
  } finally {
    over.abort();
    await source.close();
  }
}
