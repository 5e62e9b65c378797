import type { EnvironmentConfig } from '../../config/schema.js';
import { type Clock, msFromIso } from '../../domain/clock.js';
import type { Gate } from '../../domain/environment/gate.js';
import type { Outcome } from '../../domain/outcome.js';
import { faultReason, faultRemedy, placedFault } from '../../platform/answers/fault-words.js';
import { createHttp, type Http } from '../../platform/http.js';
import { createTokenSource } from '../../platform/token.js';
import { type Finding, findings } from './finding.js';

const token = findings('token', 'unavailable');
const clockFinding = findings('clock', 'io');

/**
 * How long the check waits for a permit: where a run uses up the quota, or a 429 asked for a pause, people don't want to
 * wait for the end.
 */
const PATIENCE_MS = 30_000;

/** The largest harmless difference of clocks: a token's lifetime and the platform's windows are far longer. */
const APART_MS = 60_000;

/**
 * Asks for a token of an environment for each scope, within its quota, as a run would. No finding holds token or secret.
 * The answer's date is compared with this machine's clock.
 */
export async function* checkToken(
  name: string,
  environment: EnvironmentConfig,
  scopes: readonly string[],
  { clock, gate, interrupt }: { readonly clock: Clock; readonly gate: Gate; readonly interrupt: AbortSignal },
): AsyncGenerator<Finding> {
  const { http, datedMs } = dated(createHttp(clock, false, environment));
  const waited = new AbortController();
  const over = new AbortController();
  void clock.sleep(PATIENCE_MS + environment.deadlineMs, over.signal).then(() => waited.abort());
  const signal = AbortSignal.any([waited.signal, interrupt]);
  const source = createTokenSource({ environment, gate, clock, signal, http });
  try {
    for (const scope of scopes) {
      const result = await source.get(scope);
      if ('token' in result) yield token.ok(name, `gives a token for ${scope}`);
      else if (signal.aborted) {
        yield token.attention(
          name,
          'was not asked: its quota is in use',
          'Ask again when no run is at work.',
        );
      } else if (result.outcome.kind === 'throttled') {
        yield token.attention(name, 'answers 429: its quota is used up', 'Ask again in some minutes.');
      } else {
        const { message, remedy } = whyNone(name, environment, result.outcome);
        yield token.broken(name, `gives no token for ${scope}: ${message}`, `${remedy} Rows wait meanwhile.`);
      }
    }
  } finally {
    over.abort();
    await source.close();
  }
  const theirs = datedMs();
  if (theirs === null) return;
  const apart = Math.round((clock.nowMs() - theirs) / 1_000);
  if (Math.abs(apart) * 1_000 <= APART_MS) yield clockFinding.ok(name, 'agrees with this machine');
  else {
    yield clockFinding.attention(
      name,
      `this machine is ${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} the token host`,
      'Set the clock, by NTP if possible.',
    );
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

/** The same connections, with the date of the last answer. */
function dated(http: Http): { http: Http; datedMs(): number | null } {
  let last: number | null = null;
  return {
    datedMs: () => last,
    http: {
      close: () => http.close(),
      async exchange(request, bounds) {
        const result = await http.exchange(request, bounds);
        const ms = msFromIso(result.response?.headers.date ?? '');
        if (!Number.isNaN(ms)) last = ms;
        return result;
      },
    },
  };
}
