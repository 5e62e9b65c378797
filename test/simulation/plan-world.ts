import { environmentSchema } from '../../src/config/schema/environment-schema.js';
import type { EnvironmentConfig } from '../../src/config/schema.js';
import type { State } from '../../src/domain/submission.js';
import type { Completion } from '../support/prepared-completion.js';
import { type Draws, draws } from './draws.js';

/** Everything about a simulated world that is decided before it begins; all of it follows from the seed. */
export interface WorldPlan {
  readonly environments: readonly EnvironmentPlan[];
  readonly processes: readonly ProcessPlan[];
  /** In the order in which they come. */
  readonly drops: readonly DropPlan[];
  readonly phases: readonly Phase[];
  readonly incidents: readonly Incident[];
  /** Learners the platforms don't know, and when they do. */
  readonly learnersUnknown: readonly string[];
  readonly learnersKnownAtMs: number;
  /** Speed of the platforms' clocks beside this machine's. */
  readonly platformSpeed: number;
  /** The longest time of a request without faults. */
  readonly latencyMs: number;
  /** Probability that a process is stopped between getting its permit and claiming its row. */
  readonly stopsWithPermit: number;
  /** From here on nothing goes wrong any more, and everything must come to its end. */
  readonly quietMs: number;
}

export interface EnvironmentPlan {
  readonly name: string;
  readonly config: EnvironmentConfig;
  readonly tokenLifetimeMs: number;
  readonly conflictOnRepeat: boolean;
}

export interface ProcessPlan {
  /** Processes of one host see whether another one's pid is gone. */
  readonly host: string;
  /** Between two runs. */
  readonly everyMs: number;
  readonly beginsMs: number;
}

/** A file that comes in. */
export interface DropPlan {
  readonly atMs: number;
  readonly environment: string;
  readonly completions: readonly Completion[];
  readonly sendAmendments: boolean;
}

/** A period of faults in requests to an environment. */
export interface Phase {
  readonly environment: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly trouble: Trouble;
  /** Probability that a request meets it. */
  readonly rate: number;
}

export type Trouble = (typeof TROUBLES)[number];

const TROUBLES = [
  'noise',
  'throttled',
  'throttled-mostly',
  'server-errors',
  'busy',
  'lost-answers',
  'lost-requests',
  'refused-connections',
  'revoked-tokens',
  'forbidden',
  'pages',
  'token-host-down',
  'slow',
  'lying-successes',
  'written-then-failed',
  'odd-details',
  'stands-still',
] as const;

/** One thing that happens at one moment. */
export type Incident = { readonly atMs: number } & (
  | { readonly kind: 'crash'; readonly process: number; readonly restartMs: number; readonly isSeen: boolean }
  /** At the so many-th statement from then on: before it, or right after it was committed. */
  | {
      readonly kind: 'crash-at-statement';
      readonly process: number;
      readonly statement: number;
      readonly committed: boolean;
      readonly restartMs: number;
      readonly isSeen: boolean;
    }
  | { readonly kind: 'stop'; readonly process: number; readonly forMs: number }
  /** Right after its next claim from then on. */
  | { readonly kind: 'stop-at-claim'; readonly process: number; readonly forMs: number }
  /** Right after its next request has left: its answer comes when another process may have abandoned it. */
  | { readonly kind: 'stop-at-request'; readonly process: number; readonly forMs: number }
  | { readonly kind: 'interrupt'; readonly process: number }
  | { readonly kind: 'set-clock'; readonly byMs: number }
  | { readonly kind: 'reboot'; readonly restartMs: number }
  /** Right after the next 429 from then on. */
  | { readonly kind: 'reboot-at-429'; readonly restartMs: number }
  | { readonly kind: 'rerun' | 'dismiss'; readonly states: readonly State[] }
);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function planWorld(seed: number): WorldPlan {
  const draw = draws(`${seed}/plan`);
  const quietMs = draw.between(60, 180) * 1_000;
  const environments = planEnvironments(draw);
  const names = environments.map(({ name }) => name) as [string, ...string[]];
  const learners = Array.from({ length: draw.between(2, 8) }, (_, n) => `learner${n}@example.org`);
  const processes = draw.between(1, 3);
  const oneHost = draw.chance(0.5);
  const drops = several(draw.between(1, 4), () => planDrop(draw, names, learners, quietMs)).sort(
    (a, b) => a.atMs - b.atMs,
  );
  // Mostly while there is something to deliver.
  const moment = () => {
    const { atMs } = draw.pick(drops as [DropPlan, ...DropPlan[]]);
    return draw.chance(0.7) ? Math.min(quietMs, atMs + draw.between(0, 40_000)) : draw.between(0, quietMs);
  };
  return {
    environments,
    processes: Array.from({ length: processes }, (_, n) => ({
      host: oneHost ? 'host' : `host-${n}`,
      everyMs: draw.magnitude(3_000, 40_000),
      beginsMs: draw.between(0, 10_000),
    })),
    drops,
    phases: several(draw.between(0, 6), () => planPhase(draw, names, moment, quietMs)),
    incidents: several(draw.between(0, 10), () => planIncident(draw, processes, moment())).sort(
      (a, b) => a.atMs - b.atMs,
    ),
    learnersUnknown: learners.filter(() => draw.chance(0.2)),
    learnersKnownAtMs: draw.between(0, quietMs),
    platformSpeed: 0.998 + draw.random() * 0.004,
    latencyMs: draw.magnitude(2, 3_000),
    stopsWithPermit: draw.chance(0.3) ? 0.05 : 0,
    quietMs,
  };
}

function planEnvironments(draw: Draws): EnvironmentPlan[] {
  const quota = {
    requests: draw.between(2, 12),
    per: ms(draw.between(3, 12) * 1_000),
    reserve: draw.chance(0.3) ? 1 : 0,
  };
  const count = draw.chance(0.4) ? 2 : 1;
  const sharesClient = draw.chance(0.7);
  return Array.from({ length: count }, (_, n) => ({
    name: n === 0 ? 'main' : 'other',
    config: environmentSchema.parse({
      baseUrl: `https://platform-${n}.example`,
      authUrl: `https://login-${n}.example`,
      clientId: sharesClient ? 'client' : `client-${n}`,
      clientSecret: 'secret',
      quota,
      pace: draw.pick(['even', 'burst']),
      // Now and then longer than a lease outlives its owner: then answers come that another process has abandoned.
      deadline: ms(draw.chance(0.3) ? 90_000 : draw.magnitude(2_000, 30_000)),
      inFlight: draw.magnitude(1, 20),
      retry: {
        tries: draw.between(1, 5),
        first: ms(draw.magnitude(100, 5_000)),
        longest: ms(draw.magnitude(5_000, MINUTE_MS)),
      },
      unknown: draw.pick(['resend', 'resend', 'hold']),
      resends: draw.between(0, 3),
      exists: draw.pick(['reject', 'accept']),
      recheck: { after: ms(draw.between(5, 20) * 1_000), times: draw.between(0, 4) },
      canary: { rows: draw.pick([0, 4, 50]), maxRejected: 2 },
      outage: ms(draw.between(10, 120) * 1_000),
    }),
    // Longer than a request waits for its permit: a token that ends meanwhile costs a request.
    tokenLifetimeMs: draw.magnitude(40_000, 10 * MINUTE_MS),
    conflictOnRepeat: draw.chance(0.3),
  }));
}

/** Few learners, contents and times, so that slots, keys and whole records meet again and again. */
function planDrop(
  draw: Draws,
  environments: readonly [string, ...string[]],
  learners: readonly string[],
  quietMs: number,
): DropPlan {
  return {
    atMs: draw.chance(0.5) ? 0 : draw.between(0, quietMs),
    environment: draw.pick(environments),
    completions: several(draw.between(3, 20), () => ({
      user: draw.pick(learners as readonly [string, ...string[]]),
      content: `C-${draw.between(1, 2)}`,
      at: `2026-01-0${draw.between(1, 3)}T09:00:00.000Z`,
      ...(draw.chance(0.6) ? { percentile: draw.between(1, 3) } : {}),
    })),
    sendAmendments: draw.chance(0.3),
  };
}

function planPhase(
  draw: Draws,
  environments: readonly [string, ...string[]],
  moment: () => number,
  quietMs: number,
): Phase {
  const fromMs = moment();
  const environment = draw.pick(environments);
  const trouble = draw.pick(TROUBLES);
  const lastsMs = draw.magnitude(10_000, 2 * MINUTE_MS);
  const rate = draw.pick([0.1, 0.3, 0.6, 1]);
  // These show nothing but where they last, and nothing gets through.
  const isLong = trouble === 'throttled-mostly' || trouble === 'stands-still';
  return {
    environment,
    fromMs,
    toMs: Math.min(quietMs, fromMs + (isLong ? Math.max(lastsMs, MINUTE_MS) : lastsMs)),
    trouble,
    rate: isLong ? 1 : rate,
  };
}

function planIncident(draw: Draws, processes: number, atMs: number): Incident {
  const process = draw.between(0, processes - 1);
  const restartMs = draw.magnitude(500, MINUTE_MS);
  const isSeen = draw.chance(0.5);
  const states = draw.pick<readonly State[]>([
    ['held'],
    ['rejected', 'failed', 'in-doubt'],
    ['held', 'rejected', 'failed', 'in-doubt'],
  ]);
  return draw.pick<() => Incident>([
    () => ({ atMs, kind: 'crash', process, restartMs, isSeen }),
    () => ({
      atMs,
      kind: 'crash-at-statement',
      process,
      statement: draw.magnitude(1, 300),
      committed: draw.chance(0.5),
      restartMs,
      isSeen,
    }),
    () => ({ atMs, kind: 'stop', process, forMs: draw.magnitude(1_000, 2 * MINUTE_MS) }),
    () => ({ atMs, kind: 'stop-at-claim', process, forMs: draw.magnitude(1_000, 2 * MINUTE_MS) }),
    () => ({ atMs, kind: 'stop', process, forMs: draw.between(30_000, 60_000) }),
    () => ({ atMs, kind: 'stop-at-request', process, forMs: draw.between(30_000, 85_000) }),
    () => ({ atMs, kind: 'interrupt', process }),
    () => ({
      atMs,
      kind: 'set-clock',
      byMs: (draw.chance(0.5) ? 1 : -1) * draw.magnitude(1_000, 5 * HOUR_MS),
    }),
    () => ({ atMs, kind: 'reboot', restartMs }),
    () => ({ atMs, kind: 'reboot-at-429', restartMs: draw.magnitude(50, 2_000) }),
    () => ({ atMs, kind: 'rerun', states }),
    () => ({ atMs, kind: 'rerun', states }),
    () => ({ atMs, kind: 'dismiss', states: [...states, 'waiting'] }),
  ])();
}

function several<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

function ms(length: number): string {
  return `${length}ms`;
}
