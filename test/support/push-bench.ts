import { environmentSchema } from '../../src/config/schema/environment-schema.js';
import type { EnvironmentConfig } from '../../src/config/schema.js';
import type { Clock } from '../../src/domain/clock.js';
import type { Gate } from '../../src/domain/environment/gate.js';
import { type Owner, thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { PlatformClient } from '../../src/platform/client.js';
import { ledgerGate } from '../../src/push/ledger-gate.js';
import type { PushContext, PushEvent } from '../../src/push/push-context.js';
import { type PushResult, pushEnvironment } from '../../src/push/push-environment.js';
import {
  createSandboxPlatform,
  type SandboxOptions,
  type SandboxPlatform,
} from '../../src/sandbox/platform.js';
import { withoutSyncs } from './damage.js';
import { type Stall, sandboxConnection } from './sandbox-connection.js';
import { testLedger } from './staged-ledger.js';
import { virtualClock } from './virtual-clock.js';

/** The delivery loop with a ledger, the sandbox's state machine and virtual time. */
export interface PushBench {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly platform: SandboxPlatform;
  readonly config: EnvironmentConfig;
  readonly gate: Gate;
  readonly client: PlatformClient;
  /** The events of all pushes. */
  readonly events: readonly PushEvent[];
  /** Pushes as a run of its own. */
  push(more?: Partial<PushContext>): Promise<PushResult>;
  /** Wall-clock times of the requests to the platform's resource endpoints, from the first one on. */
  sentAtMs(): number[];
}

/** Another owner of a lease: a process that lives and isn't this one. */
export const ANOTHER: Owner = { ...thisProcess(), id: 'another', pid: process.ppid, pidStarted: null };

export function pushBench(
  options: {
    readonly environment?: Readonly<Record<string, unknown>>;
    readonly sandbox?: SandboxOptions;
    readonly latencyMs?: number | (() => number);
    readonly stall?: Stall;
    /** Opens a ledger with the given clock. Absent: a file that is removed when the test ends. */
    readonly ledger?: Ledger;
    /** How far Registrar's wall clock is ahead of the platform's, by the time since the start. */
    readonly wallAheadMs?: (elapsedMs: number) => number;
  } = {},
): PushBench {
  const world = options.ledger?.clock ?? virtualClock();
  const startMs = world.monotonicMs();
  const ahead = options.wallAheadMs ?? (() => 0);
  const clock = { ...world, nowMs: () => world.nowMs() + ahead(world.monotonicMs() - startMs) };
  const ledger = options.ledger ?? testLedger(clock);
  withoutSyncs(ledger);
  const platform = createSandboxPlatform(options.sandbox);
  const config = environmentSchema.parse({
    baseUrl: 'https://platform.example',
    authUrl: 'https://login.platform.example',
    clientId: 'sandbox-client',
    clientSecret: 'sandbox-secret',
    ...options.environment,
  });
  const gate = ledgerGate(ledger, config, clock);
  const { latencyMs = 200, stall = null } = options;
  const connect = () => sandboxConnection(platform, config, world, gate, latencyMs, stall);
  const events: PushEvent[] = [];
  return {
    ledger,
    clock,
    platform,
    config,
    gate,
    client: connect().client,
    events,
    push: async (more = {}) =>
      pushEnvironment({
        ledger,
        clock,
        owner: { ...thisProcess() },
        runId: await beginRun(ledger, 'manual', thisProcess(), 'test'),
        environment: 'main',
        config,
        gate,
        ...connect(),
        stop: new AbortController().signal,
        random: () => 0.5,
        listen: (event) => events.push(event),
        ...more,
      }),
    sentAtMs() {
      const times = platform.received.filter(({ path }) => path.startsWith('/api/')).map(({ atMs }) => atMs);
      return times.map((time) => time - (times[0] ?? 0));
    },
  };
}
