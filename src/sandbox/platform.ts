import { isoFromMs } from '../domain/clock.js';
import { createAccessTokens } from './access-tokens.js';
import { jsonAnswer, type SandboxAnswer, type SandboxRequest } from './answer.js';
import { createFaultSource, type Faults } from './faults.js';
import { CUT, faultyAnswer } from './faulty-answer.js';
import { isKnownLearner } from './learners.js';
import { type CompleteOptions, completeOptions, type SandboxOptions } from './options.js';
import { createQuotaAnswers } from './quota-answers.js';
import { createQuotaWindows } from './quota-meter.js';
import { performCall } from './routes/resource-call.js';
import { attributesOf, member, parseJson, type SandboxWorld } from './routes/route.js';
import { createCompletionStore, type StoredCompletion } from './stores/completion-store.js';
import { type ReceivedRequest, type SandboxStats, summarise } from './stores/received-log.js';
import { createSkillStore } from './stores/skill-store.js';
import { createThingStore, type StoredThing } from './stores/thing-store.js';
import { answerTokenRequest, claimedClientId, TOKEN_PATH } from './token-endpoint.js';

/** The platform of the specification: the same requests at the same moments give the same answers. */
export interface SandboxPlatform {
  /** Every request in order of arrival; grows while the sandbox is used. */
  readonly received: readonly ReceivedRequest[];
  /** Answers one request that arrives at `nowMs` (milliseconds since 1970). Moments must not go backwards. */
  handle(request: SandboxRequest, nowMs: number): SandboxAnswer;
  /** What the platform holds, in the order of the first write. */
  completions(): readonly StoredCompletion[];
  courses(): readonly StoredThing[];
  groups(): readonly StoredThing[];
  skillsOf(content: string): readonly string[];
  stats(): SandboxStats;
  /** Replaces all faults; for the new faults requests are counted from 1 again. */
  setFaults(faults: Faults): void;
}

/** Shows what came and what was written: without quota and token, and never in the log. */
const RECEIVED_PATH = '/_sandbox/received';

/** A state machine: no input or output, no clock, no chance but `random`, so that it can run in virtual time. */
export function createSandboxPlatform(options: SandboxOptions = {}): SandboxPlatform {
  const inside = insideOf(completeOptions(options));
  const { quota, random } = inside.options;
  const { completions, skills, courses, groups } = inside.world;
  const received: ReceivedRequest[] = [];

  return {
    received,
    completions: () => completions.all(),
    skillsOf: (content) => skills.of(content),
    courses: () => courses.all(),
    groups: () => groups.all(),
    stats: () => summarise(received, quota.perMs),
    setFaults: (next) => {
      inside.drawFault = createFaultSource(next, random);
    },
    handle(request, nowMs) {
      const path = request.path.split('?', 1)[0] ?? '';
      if (path === RECEIVED_PATH)
        return jsonAnswer(200, { requests: received, completions: completions.all() });
      const { answer, ...handled } =
        path === TOKEN_PATH
          ? handleToken(inside, request, nowMs)
          : handleResource(inside, request, path, nowMs);
      received.push({
        number: received.length + 1,
        at: isoFromMs(nowMs),
        atMs: nowMs,
        method: request.method,
        path,
        ...handled,
        status: answer.status,
        written: handled.write !== null,
        fault: answer.fault?.kind ?? null,
        entries: entriesOf(request.body),
      });
      return answer;
    },
  };
}

type Inside = ReturnType<typeof insideOf>;

function insideOf(options: CompleteOptions) {
  const { quota, tokenLifetimeMs, faults, random } = options;
  return {
    options,
    world: emptyWorld(options),
    tokens: createAccessTokens(tokenLifetimeMs, random),
    countRequest: createQuotaWindows(quota),
    answers: createQuotaAnswers(quota),
    drawFault: createFaultSource(faults, random),
  };
}

function emptyWorld({ alters, conflictOnRepeat, learners, contents }: CompleteOptions): SandboxWorld {
  return {
    completions: createCompletionStore(),
    skills: createSkillStore(),
    courses: createThingStore('course'),
    groups: createThingStore('group'),
    altered: (text) => alteredText(text, alters),
    conflictOnRepeat,
    isKnownLearner: (type, id) => isKnownLearner(learners, type, id),
    // Content has one identifier, whose case counts.
    isKnownContent: (id) => isKnownLearner(contents, 'content', id),
  };
}

function handleToken(inside: Inside, request: SandboxRequest, nowMs: number) {
  const { tokens, countRequest, answers } = inside;
  const { clients, countTokenRequests, tokenLifetimeMs } = inside.options;
  const claimed = claimedClientId(request);
  const clientId = clients.some((client) => client.clientId === claimed) ? claimed : null;
  const { fault } = inside.drawFault('token');
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

function handleResource(inside: Inside, request: SandboxRequest, path: string, nowMs: number) {
  const { tokens, countRequest, answers, world } = inside;
  const attributes = attributesOf(parseJson(request.body));
  const drawn = inside.drawFault('resource', subjectsOf(path, attributes));
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

function entriesOf(body: string | null): number | null {
  const data = member(parseJson(body), 'data');
  return Array.isArray(data) ? data.length : null;
}

/** The texts in which a fault's `match` is searched. The path holds the content id of a skill call. */
function subjectsOf(path: string, attributes: unknown): string[] {
  const named = [member(attributes, 'content-id'), member(attributes, 'user-id')];
  return [path, ...named.filter((value) => typeof value === 'string')];
}

/** A text as the platform has been reported to return it (specification §2.5). */
function alteredText(text: string, how: 'nothing' | 'entities' | 'letters'): string {
  if (how === 'entities') return text.replaceAll("'", '&#39;');
  if (how === 'letters')
    return text
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .replace(/\P{ASCII}/gu, '?');
  return text;
}
