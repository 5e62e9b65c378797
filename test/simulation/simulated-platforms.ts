import { msFromIso } from '../../src/domain/clock.js';
import type { HttpRequest } from '../../src/platform/http.js';
import type { SandboxAnswer, SandboxRequest } from '../../src/sandbox/answer.js';
import type { Faults } from '../../src/sandbox/faults.js';
import { createSandboxPlatform, type SandboxPlatform } from '../../src/sandbox/platform.js';
import { draws } from './draws.js';
import { ARRIVING_INVARIANTS, LEAVING_INVARIANTS, REFUSAL_INVARIANTS } from './invariants.js';
import { countOne, identityKey, recordKey } from './ledger-facts.js';
import { drawOdd, ODD_ANSWERS, oddAnswer } from './odd-answers.js';
import type { EnvironmentPlan, Phase, Trouble } from './plan-world.js';
import { BEGIN } from './process-ledger.js';
import { isTokenRequest, type NetworkOptions } from './simulated-network.js';
import type { World } from './world.js';

/** The platforms of a world's environments, each with the network before it, by the environment's name. */
export function simulatedPlatforms(world: World): ReadonlyMap<string, NetworkOptions> {
  const { plan, machine } = world;
  const learnersUnknown = [...plan.learnersUnknown];
  machine.time.at(plan.learnersKnownAtMs, () => {
    learnersUnknown.length = 0;
  });
  return new Map(
    plan.environments.map((environment) => [
      environment.name,
      networkTo(world, environment, learnersUnknown),
    ]),
  );
}

function networkTo(
  world: World,
  environment: EnvironmentPlan,
  learnersUnknown: readonly string[],
): NetworkOptions {
  const { name, config } = environment;
  const { plan, facts, machine } = world;
  const { time } = machine;
  const platform = platformOf(world, environment, learnersUnknown);
  const phases = plan.phases.filter((phase) => phase.environment === name);
  for (const { fromMs, toMs } of phases) {
    for (const atMs of [fromMs, toMs])
      time.at(atMs, () => setFaults(world, name, platform, now(phases, atMs)));
  }
  const draw = draws(`${world.seed}/network/${name}`);
  const odd = draws(`${world.seed}/odd/${name}`);
  return {
    time,
    draw,
    latencyMs: plan.latencyMs,
    troublesNow: () =>
      now(phases, time.passedMs())
        .filter(({ rate }) => draw.chance(rate))
        .map(({ trouble }): Trouble => trouble),
    leaves(process, request) {
      const attributes = attributesOf(request);
      world.say(process.name, `sends ${name} ${attributes === null ? 'token' : describe(attributes)}`);
      world.ask(LEAVING_INVARIANTS, { environment: name, attributes, by: process.name });
    },
    ends(process, request, leftMs, status) {
      if (status !== null && attributesOf(request) !== null) countOne(facts.unkept, process.name);
      if (status === 401) {
        const token = `${process.name} ${request.headers.authorization}`;
        countOne(facts.refusals, token);
        world.ask(REFUSAL_INVARIANTS, { environment: name, token });
      }
      const probe = facts.pauseProbes.get(config.clientId);
      if (probe && leftMs >= probe.atMs) facts.pauseProbes.delete(config.clientId);
    },
    readsAtMs: () =>
      Math.max(
        0,
        ...now(phases, time.passedMs()).flatMap(({ trouble, toMs }) =>
          trouble === 'stands-still' ? [toMs] : [],
        ),
      ),
    arrive(request, lateMs) {
      const atMs = msFromIso(BEGIN) + time.passedMs() * plan.platformSpeed;
      const { clientId } = config;
      const kind = drawOdd(ratesOf(now(phases, time.passedMs())), odd.random);
      const send = (withBody: boolean) =>
        arrive(world, name, platform, withBody ? request : { ...request, body: null }, atMs);
      const isOdd = kind !== null && request.path !== '/oauth/token';
      const answer = isOdd ? oddAnswer(kind, send) : send(true);
      facts.arrivals.set(clientId, [...(facts.arrivals.get(clientId) ?? []), { atMs, lateMs }]);
      world.ask(ARRIVING_INVARIANTS, { environment: name, clientId, atMs });
      return answer;
    },
  };
}

function platformOf(
  { seed }: World,
  { name, config, tokenLifetimeMs, conflictOnRepeat }: EnvironmentPlan,
  learnersUnknown: readonly string[],
): SandboxPlatform {
  const { clientId, quota } = config;
  const scopes = ['content:read', 'content:write', 'completions:read', 'completions:write'];
  return createSandboxPlatform({
    clients: [{ clientId, clientSecret: 'secret', scopes }],
    quota: { requests: quota.requests, perMs: quota.perMs },
    tokenLifetimeMs,
    learners: { unknown: learnersUnknown },
    conflictOnRepeat,
    random: draws(`${seed}/${name}`).random,
  });
}

function arrive(
  world: World,
  environment: string,
  platform: SandboxPlatform,
  request: SandboxRequest,
  atMs: number,
): SandboxAnswer {
  const answer = platform.handle(request, Math.floor(atMs));
  const entry = platform.received.at(-1);
  if (entry?.written) {
    countOne(world.facts.writes, recordKey(environment, entry.attributes));
    countOne(world.facts.identities, identityKey(environment, entry.attributes));
  }
  world.say(
    environment,
    `answers ${answer.status} ${answer.fault?.kind ?? ''}${entry?.written ? ' written' : ''}`,
  );
  return answer;
}

function setFaults(world: World, name: string, platform: SandboxPlatform, phases: readonly Phase[]): void {
  const rates = ratesOf(phases);
  world.say(name, `has troubles ${JSON.stringify(rates)}`);
  const own = Object.entries(rates).filter(([kind]) => !Object.hasOwn(ODD_ANSWERS, kind));
  platform.setFaults({ rates: Object.fromEntries(own) } as Faults);
}

function ratesOf(phases: readonly Phase[]): Readonly<Record<string, number>> {
  const rates: Record<string, number> = {};
  for (const { trouble, rate } of phases) {
    for (const [kind, share] of Object.entries(SHARES[trouble] ?? {})) {
      rates[kind] = Math.min(1, (rates[kind] ?? 0) + share * rate);
    }
  }
  return rates;
}

/** The platform's part of each trouble: probabilities while every request meets it. */
const SHARES: Readonly<Partial<Record<Trouble, Readonly<Record<string, number>>>>> = {
  noise: {
    'server-error': 0.1,
    'bad-gateway': 0.05,
    throttle: 0.05,
    'drop-before': 0.05,
    'drop-after': 0.05,
    unauthorized: 0.03,
    'error-in-success': 0.03,
    'text-success': 0.03,
    'fail-after': 0.03,
  },
  throttled: { throttle: 1 },
  'throttled-mostly': { throttle: 0.8, refusal: 0.07, 'server-error': 0.07, 'error-in-success': 0.06 },
  'server-errors': { 'server-error': 0.7, 'bad-gateway': 0.3 },
  busy: { 'server-error': 0.5 },
  'lost-answers': { 'drop-after': 0.3 },
  'revoked-tokens': { unauthorized: 1 },
  forbidden: { forbidden: 1 },
  pages: { html: 1 },
  'token-host-down': { 'tls-closed': 0.5 },
  'lying-successes': { 'error-in-success': 0.4, 'text-success': 0.3, 'multi-status': 0.3 },
  'written-then-failed': { 'fail-after': 1 },
  'odd-details': { 'long-detail': 0.5, 'nested-detail': 0.5 },
};

function now(phases: readonly Phase[], atMs: number): Phase[] {
  return phases.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
}

/** null for a token request. */
function attributesOf(request: HttpRequest): unknown {
  if (isTokenRequest(request)) return null;
  return (JSON.parse(request.body ?? '') as { data: { attributes: unknown } }).data.attributes;
}

function describe(attributes: unknown): string {
  const values = attributes as Record<string, string>;
  return ['user-id', 'content-id', 'completed-at', 'percentile'].map((name) => values[name] ?? '').join(' ');
}
