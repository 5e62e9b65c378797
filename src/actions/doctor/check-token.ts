import type { EnvironmentConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import type { Gate } from '../../domain/environment/gate.js';
import type { Outcome } from '../../domain/outcome.js';
import { faultReason, faultRemedy, placedFault } from '../../platform/answers/fault-words.js';
import { createTokenSource } from '../../platform/token.js';
import { checkBaseUrl } from './check-connection.js';
import { type Finding, findings } from './finding.js';

const token = findings('token', 'unavailable');

/**
 * How long the check waits for a permit: where a run uses up the quota, or after a 429, people don't want to wait for the
 * end.
 */
const PATIENCE_MS = 30_000;

interface TokenContext {
  readonly clock: Clock;
  readonly gate: Gate;
  readonly interrupt: AbortSignal;
  /** False: no token is tried on the API. */
  readonly isTried?: boolean;
}

/**
 * Requests a token of an environment for each scope, within its quota, as a run would, and may try one on the API, so that a
 * wrong `baseUrl` shows. No finding holds token or secret.
 */
export async function* checkToken(
  name: string,
  environment: EnvironmentConfig,
  scopes: readonly string[],
  { clock, gate, interrupt, isTried = true }: TokenContext,
): AsyncGenerator<Finding> {
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
        yield token.attention(
          name,
          'was not checked: its quota is in use',
          'Check again when no run is at work.',
        );
      } else if (result.outcome.kind === 'throttled') {
        yield token.attention(name, 'answers 429: its quota is used up', 'Check again in some minutes.');
      } else {
        const { message, remedy } = whyNone(name, environment, result.outcome);
        yield token.broken(name, `gives no token for ${scope}: ${message}`, `${remedy} Rows wait meanwhile.`);
      }
    }
    const misplaced =
      issued === null || !isTried
        ? null
        : await checkBaseUrl(name, environment, issued, { clock, gate, signal });
    if (misplaced !== null) yield misplaced;
  } finally {
    over.abort();
    await source.close();
  }
}

function whyNone(
  name: string,
  environment: EnvironmentConfig,
  outcome: Outcome,
): { message: string; remedy: string } {
  if ('fault' in outcome && outcome.fault !== undefined) {
    const placed = placedFault(environment, 'token', outcome.fault);
    return { message: faultReason(placed), remedy: faultRemedy(name, placed) };
  }
  return {
    message: 'reason' in outcome ? outcome.reason : outcome.kind,
    remedy: `Check authUrl, client id and secret of ${name} in registrar.yaml.`,
  };
}
