import { isoFromMs } from '../domain/clock.js';
import { CUT, jsonAnswer, pageAnswer, refuse, type SandboxAnswer, type SandboxRequest } from './answer.js';
import { createFaultSource, type Faults, type ScheduledFault } from './faults.js';
import {
  createQuotaAnswers,
  createQuotaWindows,
  type QuotaAnswers,
  type QuotaCount,
  type SandboxQuota,
  withRetryAfter,
} from './quota.js';
import type { ReceivedRequest } from './received.js';
import { performCall } from './routes/resource-call.js';
import { attributesOf, member, parseJson } from './routes/route.js';
import { type Random, seededRandom } from './seeded-random.js';
import { createTokens, type SandboxClient, TOKEN_PATH } from './tokens.js';
import {
  createCompletionStore,
  createResourceStore,
  isKnownLearner,
  type SandboxWorld,
  type UnknownRule,
} from './world.js';

/** How the platform behaves. By default with one client, the quota of the specification §8, and unknown learners by name. */
export interface SandboxOptions {
  readonly clients?: readonly SandboxClient[] | undefined;
  readonly quota?: SandboxQuota | undefined;
  /** True: token requests take a permit of the quota of the client id they name. */
  readonly countTokenRequests?: boolean | undefined;
  readonly tokenLifetimeMs?: number | undefined;
  readonly learners?: UnknownRule | undefined;
  /** A text as it comes back (specification §2.5); by default as it is. */
  readonly altered?: ((text: string) => string) | undefined;
  /** Which content exists; the rule's names are content ids. */
  readonly contents?: UnknownRule | undefined;
  /** Answer 409 to a completion that was written before, instead of writing it again. */
  readonly conflictOnRepeat?: boolean | undefined;
  readonly faults?: Faults | undefined;
  /** The chance behind tokens and faults by rate. */
  readonly random?: Random | undefined;
}

/** The platform of the specification: the same requests at the same moments give the same answers. */
export type SandboxPlatform = ReturnType<typeof createSandboxPlatform>;

/** Shows what came and what was written: without quota and token, and never in the log. */
const RECEIVED_PATH = '/_sandbox/received';

/** One client with every scope publicly known. */
const SANDBOX_CLIENT: SandboxClient = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  scopes: ['content:read', 'content:write', 'completions:read', 'completions:write'],
};

const UNKNOWN_BY_NAME: UnknownRule = { unknownContaining: 'unknown' };

/** A state machine: no input or output, no clock, no chance but `random`, so that it can run in virtual time. */
export function createSandboxPlatform({
  clients = [SANDBOX_CLIENT],
  quota = { requests: 70, perMs: 60_000 },
  countTokenRequests = true,
  tokenLifetimeMs = 30 * 60_000,
  learners = UNKNOWN_BY_NAME,
  contents = UNKNOWN_BY_NAME,
  altered = (text) => text,
  conflictOnRepeat = false,
  faults = {},
  random = seededRandom(1),
}: SandboxOptions = {}) {
  const world: SandboxWorld = {
    completions: createCompletionStore(),
    skills: new Map(),
    courses: createResourceStore('course'),
    groups: createResourceStore('group'),
    altered,
    conflictOnRepeat,
    isKnownLearner: (type, id) => isKnownLearner(learners, type, id),
    // Content has one identifier, whose case counts.
    isKnownContent: (id) => isKnownLearner(contents, 'content', id),
  };
  const { completions, skills, courses } = world;
  const received: ReceivedRequest[] = [];
  const tokens = createTokens(clients, tokenLifetimeMs, random);
  const countRequest = createQuotaWindows(quota);
  const answers = createQuotaAnswers(quota);
  let drawFault = createFaultSource(faults, random);

  return {
    /** Every request in order of arrival; grows while the sandbox is used. */
    received: received as readonly ReceivedRequest[],
    /** What the platform holds, in the order of the first write. */
    completions: () => completions.all(),
    skillsOf: (content: string) => [...(skills.get(content) ?? [])],
    courses: () => courses.all(),
    quota,
    /** Replaces all faults; for the new faults requests are counted from 1 again. */
    setFaults(next: Faults) {
      drawFault = createFaultSource(next, random);
    },
    /** Answers one request that arrives at `nowMs` (milliseconds since 1970). Moments must not go backwards. */
    handle(request: SandboxRequest, nowMs: number): SandboxAnswer {
      const path = request.path.split('?', 1)[0] ?? '';
      if (path === RECEIVED_PATH)
        return jsonAnswer(200, { requests: received, completions: completions.all() });
      const { answer, ...handled } =
        path === TOKEN_PATH ? handleToken(request, nowMs) : handleResource(request, path, nowMs);
      const times = { number: received.length + 1, at: isoFromMs(nowMs), atMs: nowMs };
      const written = handled.write !== null;
      received.push({ ...times, path, ...handled, written, ...described(request, answer) });
      return answer;
    },
  };

  function handleToken(request: SandboxRequest, nowMs: number) {
    const client = tokens.clientOf(request);
    const { fault } = drawFault('token');
    const unlogged = { write: null, attributes: null };
    // No part of the request has reached the platform, so it counts nowhere.
    if (fault !== null) {
      const answer = { ...CUT, fault: { kind: fault.kind, delayMs: 0 } };
      return { answer, clientId: null, counted: false, ...unlogged };
    }
    const count = client !== null && countTokenRequests ? countRequest(client.clientId, nowMs) : null;
    const answer = count?.exceeded
      ? answers.overQuota(count, nowMs)
      : answers.withQuota(tokens.answer(request, client, nowMs), count);
    return { answer, clientId: client?.clientId ?? null, counted: count !== null, ...unlogged };
  }

  function handleResource(request: SandboxRequest, path: string, nowMs: number) {
    const attributes = attributesOf(parseJson(request.body));
    const drawn = drawFault('resource', subjectsOf(path, attributes));
    const token = tokens.find(request.headers.authorization);
    const count = token === null ? null : countRequest(token.clientId, nowMs);
    const over = count?.exceeded === true;
    // A request over the quota isn't looked at any further; its connection can still be cut.
    const fault = over && !drawn.fault?.kind.startsWith('drop') ? null : drawn.fault;

    let write: number | null = null;
    const carryOut = (): SandboxAnswer => {
      if (count?.exceeded) return answers.overQuota(count, nowMs);
      const result = performCall(request, path, token, nowMs, world);
      if ('detail' in result) return answers.withQuota(result, count);
      write = result.write;
      return answers.withQuota(result.answer, count);
    };
    if (fault?.kind === 'unauthorized') tokens.revoke(request.headers.authorization);
    const answer = fault === null ? carryOut() : faultyAnswer(fault, carryOut, count, answers);
    const kind = fault?.kind ?? (drawn.delayMs > 0 ? 'latency' : null);
    return {
      answer: kind === null ? answer : { ...answer, fault: { kind, delayMs: drawn.delayMs } },
      clientId: token?.clientId ?? null,
      counted: count !== null,
      write,
      attributes,
    };
  }
}

/** Pages come from a host in front of the platform, without quota headers. @param carryOut called at most once. */
function faultyAnswer(
  fault: ScheduledFault,
  carryOut: () => SandboxAnswer,
  count: QuotaCount | null,
  { throttled, withQuota }: QuotaAnswers,
): SandboxAnswer {
  const isError = fault.kind === 'server-error' || fault.kind === 'bad-gateway';
  if (fault.kind === 'drop-after' || (fault.written && isError)) carryOut();
  const refused = (status: number, detail: string) => withQuota(refuse(status, detail), count);
  switch (fault.kind) {
    case 'server-error': {
      const answer = refused(fault.status ?? 500, 'The request could not be carried out.');
      return withRetryAfter(answer, fault.retryAfterS);
    }
    case 'throttle':
      return throttled(fault.retryAfterS ?? 1);
    case 'bad-gateway':
      return pageAnswer(502, 'Bad Gateway');
    case 'html':
      return pageAnswer(200, 'Please sign in');
    case 'unauthorized':
      return refused(401, 'The access token was revoked.');
    case 'refusal':
      return refused(400, 'The request cannot be carried out.');
    case 'forbidden':
      return refused(403, 'The resource is private.');
    default:
      return CUT;
  }
}

function described({ method, body }: SandboxRequest, { status, fault }: SandboxAnswer) {
  const data = member(parseJson(body), 'data');
  const entries = Array.isArray(data) ? data.length : null;
  return { method, status, fault: fault?.kind ?? null, entries };
}

/** The texts in which a fault's `match` is searched. The path holds the content id of a skill call. */
function subjectsOf(path: string, attributes: unknown): string[] {
  const named = [member(attributes, 'content-id'), member(attributes, 'user-id')];
  return [path, ...named.filter((value) => typeof value === 'string')];
}
