import { isoFromMs } from '../domain/clock.js';
import { createAccessTokens, type SandboxClient } from './access-tokens.js';
import { jsonAnswer, type SandboxAnswer, type SandboxRequest } from './answer.js';
import { createFaultSource, type Faults } from './faults.js';
import { CUT, faultyAnswer } from './faulty-answer.js';
import { isKnownLearner, type UnknownRule } from './learners.js';
import { createQuotaAnswers } from './quota-answers.js';
import { createQuotaWindows, type SandboxQuota } from './quota-meter.js';
import { performCall } from './routes/resource-call.js';
import { attributesOf, member, parseJson, type SandboxWorld } from './routes/route.js';
import { type Random, seededRandom } from './seeded-random.js';
import { createCompletionStore, type StoredCompletion } from './stores/completion-store.js';
import type { ReceivedRequest } from './stores/received-log.js';
import { createSkillStore } from './stores/skill-store.js';
import { createThingStore, type StoredThing } from './stores/thing-store.js';
import { answerTokenRequest, claimedClientId, TOKEN_PATH } from './token-endpoint.js';

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
export interface SandboxPlatform {
  /** Every request in order of arrival; grows while the sandbox is used. */
  readonly received: readonly ReceivedRequest[];
  readonly quota: SandboxQuota;
  /** Answers one request that arrives at `nowMs` (milliseconds since 1970). Moments must not go backwards. */
  handle(request: SandboxRequest, nowMs: number): SandboxAnswer;
  /** What the platform holds, in the order of the first write. */
  completions(): readonly StoredCompletion[];
  courses(): readonly StoredThing[];
  groups(): readonly StoredThing[];
  skillsOf(content: string): readonly string[];
  /** Replaces all faults; for the new faults requests are counted from 1 again. */
  setFaults(faults: Faults): void;
}

/** Shows what came and what was written: without quota and token, and never in the log. */
const RECEIVED_PATH = '/_sandbox/received';

/** One client with every scope publicly known. */
const SANDBOX_CLIENT: SandboxClient = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  scopes: ['content:read', 'content:write', 'completions:read', 'completions:write'],
};

const NAMED_UNKNOWN: UnknownRule = { unknownContaining: 'unknown' };

/** A state machine: no input or output, no clock, no chance but `random`, so that it can run in virtual time. */
export function createSandboxPlatform({
  clients = [SANDBOX_CLIENT],
  quota = { requests: 70, perMs: 60_000 },
  countTokenRequests = true,
  tokenLifetimeMs = 30 * 60_000,
  learners = NAMED_UNKNOWN,
  contents = NAMED_UNKNOWN,
  altered = (text) => text,
  conflictOnRepeat = false,
  faults = {},
  random = seededRandom(1),
}: SandboxOptions = {}): SandboxPlatform {
  const world: SandboxWorld = {
    completions: createCompletionStore(),
    skills: createSkillStore(),
    courses: createThingStore('course'),
    groups: createThingStore('group'),
    altered,
    conflictOnRepeat,
    isKnownLearner: (type, id) => isKnownLearner(learners, type, id),
    // Content has one identifier, whose case counts.
    isKnownContent: (id) => isKnownLearner(contents, 'content', id),
  };
  const { completions, skills, courses, groups } = world;
  const received: ReceivedRequest[] = [];
  const tokens = createAccessTokens(tokenLifetimeMs, random);
  const countRequest = createQuotaWindows(quota);
  const answers = createQuotaAnswers(quota);
  let drawFault = createFaultSource(faults, random);

  return {
    received,
    completions: () => completions.all(),
    skillsOf: (content) => skills.of(content),
    courses: () => courses.all(),
    groups: () => groups.all(),
    quota,
    setFaults: (next) => {
      drawFault = createFaultSource(next, random);
    },
    handle(request, nowMs) {
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
    const claimed = claimedClientId(request);
    const clientId = clients.some((client) => client.clientId === claimed) ? claimed : null;
    const { fault } = drawFault('token');
    const unlogged = { write: null, attributes: null };
    // No part of the request has reached the platform, so it counts nowhere.
    if (fault !== null) {
      const answer = { ...CUT, fault: { kind: fault.kind, delayMs: 0 } };
      return { answer, clientId: null, counted: false, ...unlogged };
    }
    const count = clientId !== null && countTokenRequests ? countRequest(clientId, nowMs) : null;
    const answered = () => {
      if (count?.exceeded) return answers.overQuota(count, nowMs);
      const result = answerTokenRequest(request, nowMs, clients, tokens, tokenLifetimeMs);
      return answers.withQuota('detail' in result ? answers.refuse(result) : result, count);
    };
    return { answer: answered(), clientId, counted: count !== null, ...unlogged };
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
      if ('refusal' in result) return answers.withQuota(answers.refuse(result.refusal), count);
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
