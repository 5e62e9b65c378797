import type { EnvironmentConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import { leadsTo } from '../domain/text/path-segment.js';
import { type BegunRun, withRun } from '../ledger/attempts/with-run.js';
import { isOfRequest } from '../platform/answers/classify.js';
import { faultReason, faultRemedy, placedFault } from '../platform/answers/fault-words.js';
import type { PlatformRequest } from '../platform/calls/platform-call.js';
import { scopeOf } from '../platform/scopes.js';
import type { CallResult } from '../push/call.js';
import type { ActionContext, Workspace } from './context.js';
import { byHand } from './run/by-hand.js';

/** The request that a person asks for. */
export interface CallRequest {
  /** In upper or lower case. */
  readonly method: string;
  /** The path below baseUrl; characters that a URL can't hold are escaped. */
  readonly path: string;
  /** JSON; null: none. */
  readonly body: unknown;
  /** undefined: the scope that fits the path. */
  readonly scope: string | undefined;
  /** undefined: the only environment there is. */
  readonly environment: string | undefined;
}

/** A request that could be sent. */
export interface CallPlan {
  readonly environment: string;
  readonly config: EnvironmentConfig;
  readonly request: PlatformRequest;
  readonly scope: string;
}

/** The result of a request by hand. */
export interface Called extends CallResult {
  /** Why there is no answer or no good answer; null where there is nothing to say. */
  readonly reason: string | null;
  /** What to do about it; null where there is nothing to do. */
  readonly remedy: string | null;
  readonly exit: 'done' | 'attention' | 'unavailable';
}

/** Methods that a request may have. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The request as it would be sent. Throws OperatorError where it can't be. */
export function plan({ config }: Workspace, asked: CallRequest): CallPlan {
  const request = requestOf(asked);
  const [environment, settings] = environmentNamed(config.environments, asked.environment);
  return { environment, config: settings, request, scope: asked.scope ?? scopeOf(request) };
}

/**
 * Sends one request that is about no row, with the same token, quota, redaction and audit as every other request. It is
 * never repeated.
 */
export async function carryOut(
  { ledger, clock }: ActionContext,
  { environment, config, request, scope }: CallPlan,
  who: Decider,
  signal: AbortSignal,
): Promise<Called> {
  const { call } = await import('../push/call.js');
  const { environmentGate } = await import('../push/ledger-gate.js');
  const gate = environmentGate(ledger, config, clock, environment);
  const work = async ({ runId }: BegunRun) => {
    const given = { ledger, runId, environment, config, gate, request, scope, who: who.name, signal };
    const result = await call(given);
    return { ...result, ...whyNot(environment, config, result), exit: exitOf(result) };
  };
  return withRun(ledger, byHand(), work, ({ exit }) => ({ end: exit }));
}

/**
 * How the process ends. A refusal is an answer for the person who asked. `unavailable` stands for obstacles that stop every
 * such request: no token, no connection, a 401, a 429, a 5xx, or an answer that isn't the platform's.
 */
function exitOf({ answer }: CallResult): Called['exit'] {
  if (answer?.outcome.kind === 'accepted') return 'done';
  return answer?.response && isOfRequest(answer.response.status) ? 'attention' : 'unavailable';
}

/** Why there is no answer or no good answer, and what to do about it; null where there is nothing to say. */
function whyNot(
  name: string,
  environment: EnvironmentConfig,
  { outcome, host, answer }: CallResult,
): { reason: string | null; remedy: string | null } {
  if (outcome === null) return { reason: 'given up before it was sent', remedy: null };
  if (outcome.kind === 'accepted') return { reason: null, remedy: null };
  if (outcome.kind === 'rejected' || outcome.kind === 'throttled' || outcome.fault === undefined) {
    return { reason: outcome.reason, remedy: null };
  }
  // The person who asked sees in the answer whether the scope or the path is wrong.
  if (exitOf({ outcome, host, answer }) === 'attention') return { reason: outcome.reason, remedy: null };
  const placed = placedFault(environment, host, outcome.fault);
  return { reason: faultReason(placed), remedy: faultRemedy(name, placed) };
}

function requestOf({ method, path, body }: CallRequest): PlatformRequest {
  const known = METHODS.find((name) => name === method.toUpperCase());
  if (!known) throw wrong('METHOD', method, `is none of ${METHODS.join(', ')}`);
  if (!/^\/[^\s#]*$/.test(path)) throw wrong('PATH', path, 'must begin with / and stand below baseUrl');
  const escaped = path.replace(/[^!-~]+/g, encodeURIComponent);
  if (!leadsTo('http://localhost', escaped))
    throw wrong(
      'PATH',
      path,
      'leads to another path than it names: a part is empty, . or .., or not escaped',
    );
  return { method: known, path: escaped, body };
}

function wrong(what: string, value: string, why: string): OperatorError {
  return new OperatorError({
    operation: 'read the options',
    subject: what,
    message: `${what} "${value}" ${why}`,
    hint: 'Write it as in this example: registrar call GET /api/v2/groups',
  });
}

function environmentNamed(
  environments: Readonly<Record<string, EnvironmentConfig>>,
  name: string | undefined,
): [string, EnvironmentConfig] {
  const all = Object.entries(environments);
  const chosen = name === undefined && all.length === 1 ? all[0] : all.find(([known]) => known === name);
  if (chosen) return chosen;
  throw new OperatorError({
    operation: 'choose an environment',
    subject: name ?? '--environment',
    message:
      name === undefined
        ? 'registrar.yaml has several environments, and none is named'
        : `registrar.yaml has no environment "${name}"`,
    hint: `Name one with --environment: ${all.map(([known]) => known).join(', ')}.`,
  });
}
