import { createAccessTokens } from './access-tokens.js';
import { alteredText } from './altered-text.js';
import {
  jsonAnswer,
  pageAnswer,
  type Refusal,
  refusalAnswer,
  type SandboxAnswer,
  type SandboxRequest,
} from './answer.js';
import { answerControl, CONTROL_PREFIX, type SandboxControls } from './control.js';
import { createFaultSource, type ScheduledFault } from './faults.js';
import { isKnownContent, isKnownLearner } from './learners.js';
import { completeOptions, type SandboxOptions } from './options.js';
import type { QuotaCount } from './quota-meter.js';
import { createQuotaWindows, quotaDetail, quotaHeaders, retryAfterSeconds } from './quota-windows.js';
import { performCall } from './routes/resource-call.js';
import { member } from './routes/route.js';
import { createCompletionStore } from './stores/completion-store.js';
import { appendReceived, type ReceivedRequest, summarise } from './stores/received-log.js';
import { createSkillStore } from './stores/skill-store.js';
import { createThingStore, type StoredThing } from './stores/thing-store.js';
import { answerTokenRequest, claimedClientId, TOKEN_PATH } from './token-endpoint.js';

/** The platform of the specification: the same requests at the same moments give the same answers. */
export interface SandboxPlatform extends SandboxControls {
  /** Answers one request that arrives at `nowMs` (milliseconds since 1970). Moments must not go backwards. */
  handle(request: SandboxRequest, nowMs: number): SandboxAnswer;
  /** When a request is read that comes at `nowMs`: then, or once the platform no longer stands still. */
  readsAtMs(nowMs: number): number;
  courses(): readonly StoredThing[];
  groups(): readonly StoredThing[];
  /** The skills that a content has. */
  skillsOf(content: string): readonly string[];
}

/** A request carried out, before its answer is logged. */
interface Handled {
  readonly answer: SandboxAnswer;
  readonly clientId: string | null;
  readonly counted: boolean;
  readonly write?: number | null;
  readonly attributes?: unknown;
}

/**
 * The platform of the specification as a state machine: no input or output, no clock, no chance but `random`, so
 * that a simulation can run it in virtual time; `server` puts it on a port.
 */
export function createSandboxPlatform(options: SandboxOptions = {}): SandboxPlatform {
  const complete = completeOptions(options);
  const { clients, quota, countTokenRequests, tokenLifetimeMs, conflictOnRepeat, faults, random } = complete;
  const tokens = createAccessTokens(tokenLifetimeMs, random);
  const windows = createQuotaWindows(quota);
  const completions = createCompletionStore();
  const skills = createSkillStore();
  const courses = createThingStore('course');
  const groups = createThingStore('group');
  const received: ReceivedRequest[] = [];
  let faultSource = createFaultSource(faults, random);
  let refusals = 0;
  let stillUntilMs = Number.NEGATIVE_INFINITY;

  const world = {
    completions,
    skills,
    courses,
    groups,
    altered: (text: string) => alteredText(text, complete.alters),
    conflictOnRepeat,
    isKnownLearner: (type: string, id: string) => isKnownLearner(complete.learners, type, id),
    isKnownContent: (id: string) => isKnownContent(complete.contents, id),
  };

  const platform: SandboxPlatform = {
    received,
    completions: () => completions.all(),
    skillsOf: (content) => skills.of(content),
    courses: () => courses.all(),
    groups: () => groups.all(),
    stats: () => summarise(received, quota.perMs),
    readsAtMs: (nowMs) => Math.max(nowMs, stillUntilMs),
    setFaults: (next) => {
      faultSource = createFaultSource(next, random);
    },
    reset() {
      received.length = 0;
      tokens.reset();
      windows.reset();
      completions.reset();
      skills.reset();
      courses.reset();
      groups.reset();
      faultSource = createFaultSource(faults, random);
      stillUntilMs = Number.NEGATIVE_INFINITY;
    },
    handle(request, nowMs) {
      const path = request.path.split('?', 1)[0] ?? '';
      if (path.startsWith(CONTROL_PREFIX)) return answerControl(platform, request, path);
      const handled =
        path === TOKEN_PATH ? handleToken(request, nowMs) : handleResource(request, path, nowMs);
      const write = handled.write ?? null;
      appendReceived(received, {
        atMs: nowMs,
        method: request.method,
        path,
        clientId: handled.clientId,
        counted: handled.counted,
        status: handled.answer.status,
        written: write !== null,
        write,
        fault: handled.answer.fault?.kind ?? null,
        attributes: handled.attributes ?? null,
        entries: entriesOf(request.body),
      });
      return handled.answer;
    },
  };
  return platform;

  function handleToken(request: SandboxRequest, nowMs: number): Handled {
    const claimed = claimedClientId(request);
    const clientId = clients.some((client) => client.clientId === claimed) ? claimed : null;
    const { fault } = faultSource.drawForToken();
    // Nothing of the request has reached the platform, so it counts nowhere.
    if (fault !== null) {
      const answer = { ...CUT, fault: { kind: fault.kind, delayMs: 0 } };
      return { answer, clientId: null, counted: false };
    }

    const count = clientId !== null && countTokenRequests ? windows.count(clientId, nowMs) : null;
    if (count?.exceeded) return { answer: overQuota(count, nowMs), clientId, counted: true };
    const result = answerTokenRequest(request, nowMs, clients, tokens, tokenLifetimeMs);
    return {
      answer: withQuota('detail' in result ? refuse(result) : result, count),
      clientId,
      counted: count !== null,
    };
  }

  function handleResource(request: SandboxRequest, path: string, nowMs: number): Handled {
    const attributes = attributesOf(request.body);
    const drawn = faultSource.drawForResource(subjectsOf(path, attributes));
    if (drawn.stillMs > 0) stillUntilMs = nowMs + drawn.stillMs;
    const token = tokens.find(request.headers.authorization);
    const count = token === null ? null : windows.count(token.clientId, nowMs);
    const over = count?.exceeded === true;
    // What is over the quota isn't looked at any further; the connection can be cut all the same.
    const fault = over && !drawn.fault?.kind.startsWith('drop') ? null : drawn.fault;

    let write: number | null = null;
    const carryOut = (): SandboxAnswer => {
      if (count?.exceeded) return overQuota(count, nowMs);
      const result = performCall(request, path, token, nowMs, world);
      if ('refusal' in result) return withQuota(refuse(result.refusal), count);
      write = result.write;
      return withQuota(result.answer, count);
    };
    if (fault?.kind === 'unauthorized') tokens.revoke(request.headers.authorization);
    const answer = fault === null ? carryOut() : faulty(fault, carryOut, count);
    const kind = fault?.kind ?? (drawn.delayMs > 0 ? 'latency' : drawn.stillMs > 0 ? 'stand-still' : null);
    return {
      answer: kind === null ? answer : { ...answer, fault: { kind, delayMs: drawn.delayMs } },
      clientId: token?.clientId ?? null,
      counted: count !== null,
      write,
      attributes,
    };
  }

  /** The answer under a fault. Pages come from something in front of the platform, so they carry no quota headers. */
  function faulty(
    fault: ScheduledFault,
    carryOut: () => SandboxAnswer,
    count: QuotaCount | null,
  ): SandboxAnswer {
    if (fault.kind === 'drop-after' || fault.kind === 'fail-after') carryOut();
    if (fault.written && (fault.kind === 'server-error' || fault.kind === 'bad-gateway')) carryOut();
    switch (fault.kind) {
      case 'server-error': {
        const refusal = { status: fault.status ?? 500, detail: 'The request could not be carried out.' };
        return withQuota(withRetryAfter(refuse(refusal), fault.retryAfterS), count);
      }
      case 'fail-after':
        return withQuota(refuse({ status: 500, detail: 'The request could not be carried out.' }), count);
      case 'text-success': {
        const answer = carryOut();
        return answer.status === 201 ? { ...answer, headers: TEXT, body: 'Created' } : answer;
      }
      case 'error-in-success':
        return { ...refuse({ status: 400, detail: 'The request cannot be carried out.' }), status: 200 };
      case 'multi-status':
        return withQuota(jsonAnswer(207, { data: [{ status: 422, title: 'Not carried out' }] }), count);
      case 'long-detail':
        return withQuota(refuse({ status: 400, detail: 'x'.repeat(100_000) }), count);
      case 'nested-detail':
        return withQuota(nestedRefusal(), count);
      case 'throttle':
        return withRetryAfter(refuse({ status: 429, detail: quotaDetail(quota) }), fault.retryAfterS ?? 1);
      case 'bad-gateway':
        return pageAnswer(502, 'Bad Gateway');
      case 'html':
        return pageAnswer(200, 'Please sign in');
      case 'unauthorized':
        return withQuota(refuse({ status: 401, detail: 'The access token was revoked.' }), count);
      case 'refusal':
        return withQuota(refuse({ status: 400, detail: 'The request cannot be carried out.' }), count);
      case 'forbidden':
        return withQuota(refuse({ status: 403, detail: 'The resource is private.' }), count);
      default:
        return CUT;
    }
  }

  function overQuota(count: QuotaCount, nowMs: number): SandboxAnswer {
    const answer = refuse({ status: 429, detail: quotaDetail(quota) });
    return withRetryAfter(answer, retryAfterSeconds(count, nowMs));
  }

  function withQuota(answer: SandboxAnswer, count: QuotaCount | null): SandboxAnswer {
    return count === null
      ? answer
      : { ...answer, headers: { ...answer.headers, ...quotaHeaders(quota, count) } };
  }

  function refuse(refusal: Refusal): SandboxAnswer {
    refusals += 1;
    return refusalAnswer(refusal, `error-${refusals}`);
  }
}

const TEXT = { 'content-type': 'text/plain' };

/** As deep as no parser of JSON minds, and what walks through it may. */
function nestedRefusal(): SandboxAnswer {
  const detail = '['.repeat(5_000) + ']'.repeat(5_000);
  return {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: `{"errors":[{"code":"bad-request","detail":${detail}}]}`,
  };
}

const CUT: SandboxAnswer = { status: null, headers: {}, body: null };

function withRetryAfter(answer: SandboxAnswer, seconds: number | string | undefined): SandboxAnswer {
  if (seconds === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
}

/** Entries of `data` where it is a list; null otherwise. */
function entriesOf(body: string | null): number | null {
  const data = member(parsed(body), 'data');
  return Array.isArray(data) ? data.length : null;
}

/** `data.attributes` of whatever came, for the log; null where there are none. */
function attributesOf(body: string | null): unknown {
  return member(member(parsed(body), 'data'), 'attributes') ?? null;
}

function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return null;
  }
}

/** Where a fault's `match` is looked for: the path holds the content id of a skill call. */
function subjectsOf(path: string, attributes: unknown): string[] {
  const named = [member(attributes, 'content-id'), member(attributes, 'user-id')];
  return [path, ...named.filter((value) => typeof value === 'string')];
}
