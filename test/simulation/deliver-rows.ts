import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentSchema } from '../../src/config/schema/environment-schema.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { createPlatformClient } from '../../src/platform/client.js';
import type { Http } from '../../src/platform/http.js';
import { createTokenSource } from '../../src/platform/token.js';
import { ledgerGate } from '../../src/push/ledger-gate.js';
import { pushEnvironment } from '../../src/push/push-environment.js';
import type { SandboxAnswer } from '../../src/sandbox/answer.js';
import { createQuotaWindows } from '../../src/sandbox/quota.js';
import { performCall } from '../../src/sandbox/routes/resource-call.js';
import { createTokens } from '../../src/sandbox/tokens.js';
import { createResourceStore } from '../../src/sandbox/world.js';
import { withoutSyncs } from '../support/damage.js';
import { virtualClock } from '../support/virtual-clock.js';
import { stageRows } from './stage-rows.js';

/** What delivering many rows took. */
export interface RowsResult {
  readonly rows: number;
  /** From the first request to the end of the push. */
  readonly virtualMs: number;
  /** The time in which the quota lets them through: rows over requests, times how long one permit is taken. */
  readonly expectedMs: number;
  readonly overQuota: number;
  readonly balanced: boolean;
}

/** How far a delivery is. */
export interface RowsMark {
  readonly delivered: number;
  /** CPU time for each row since the last mark. */
  readonly cpuMsEach: number;
  readonly residentMb: number;
}

const LATENCY_MS = 200;
const QUOTA = { requests: 70, perMs: 60_000 };

/** What one permit is taken for at most, beside the latency. */
const HELD_MS = 60_500;

/** Rows between two marks. */
const MARK = 10_000;

/**
 * Delivers so many rows in virtual time, without faults, from a ledger in a file: a million take ten days. The platform is
 * the sandbox's, but forgets what was written.
 */
export async function deliverRows(rows: number, marked: (mark: RowsMark) => void): Promise<RowsResult> {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-rows-'));
  const clock = virtualClock();
  const ledger = openLedger(join(folder, 'registrar.db'), clock);
  try {
    withoutSyncs(ledger);
    await stageRows(ledger, rows);
    return await deliver(ledger, rows, marked);
  } finally {
    closeLedger(ledger);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function deliver(ledger: Ledger, rows: number, marked: (mark: RowsMark) => void): Promise<RowsResult> {
  const { clock } = ledger;
  const config = environmentSchema.parse({
    baseUrl: 'https://platform.example',
    authUrl: 'https://login.example',
    clientId: CLIENT.clientId,
    clientSecret: CLIENT.clientSecret,
  });
  const gate = ledgerGate(ledger, { ...config, quota: { ...QUOTA, reserve: 0 } }, clock);
  const stop = new AbortController().signal;
  const platform = forgetfulPlatform();
  const http: Http = {
    async exchange({ method, url, headers, body }) {
      await clock.sleep(LATENCY_MS / 2);
      const answer = platform.handle(method, new URL(url).pathname, headers, body ?? '', clock.nowMs());
      await clock.sleep(LATENCY_MS / 2);
      const response = { status: answer.status ?? 0, headers: answer.headers, text: answer.body ?? '' };
      return { response: { ...response, complete: true }, failure: null };
    },
    close: async () => {},
  };
  const startedMs = clock.monotonicMs();
  let delivered = 0;
  let cpu = process.cpuUsage();
  const runId = await beginRun(ledger, 'manual', thisProcess(), 'simulation');
  await pushEnvironment({
    ledger,
    clock,
    owner: thisProcess(),
    runId,
    environment: 'main',
    config,
    gate,
    client: createPlatformClient(config, clock, http),
    tokens: createTokenSource({ environment: config, gate, clock, signal: stop, http }),
    stop,
    random: () => 0.5,
    listen(event) {
      if (event.kind !== 'answered') return;
      delivered += 1;
      if (delivered % MARK !== 0) return;
      const { user, system } = process.cpuUsage(cpu);
      cpu = process.cpuUsage();
      const residentMb = process.memoryUsage.rss() / 2 ** 20;
      marked({ delivered, cpuMsEach: (user + system) / 1000 / MARK, residentMb });
    },
  });
  return {
    rows,
    virtualMs: clock.monotonicMs() - startedMs,
    expectedMs: (rows / QUOTA.requests) * (HELD_MS + LATENCY_MS),
    overQuota: platform.overQuota(),
    balanced: (await imbalances(ledger)).length === 0,
  };
}

const CLIENT = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  scopes: ['completions:read', 'completions:write'],
};

/** The sandbox put together from its parts, without its log and its memory of what was written. */
function forgetfulPlatform() {
  const tokens = createTokens([CLIENT], 30 * 60_000, () => 0.5);
  const windows = createQuotaWindows(QUOTA);
  let overQuota = 0;
  const count = (nowMs: number) => {
    if (windows(CLIENT.clientId, nowMs).exceeded) overQuota += 1;
  };
  const world = {
    completions: {
      find: () => null,
      write: (attributes: never) => ({ id: 'completion-1', attributes, firstAt: '', writes: 1 }),
      all: () => [],
    },
    skills: new Map(),
    courses: createResourceStore('course'),
    groups: createResourceStore('group'),
    altered: (text: string) => text,
    conflictOnRepeat: false,
    isKnownLearner: () => true,
    isKnownContent: () => true,
  };
  return {
    overQuota: () => overQuota,
    handle(
      method: string,
      path: string,
      headers: Readonly<Record<string, string>>,
      body: string,
      nowMs: number,
    ): SandboxAnswer {
      const request = { method, path, headers, body };
      count(nowMs);
      const result =
        path === '/oauth/token'
          ? tokens.answer(request, CLIENT, nowMs)
          : performCall(request, path, tokens.find(headers.authorization), nowMs, world);
      if ('answer' in result) return result.answer;
      if ('headers' in result) return result;
      throw new Error(`the platform refuses: ${JSON.stringify(result)}`);
    },
  };
}
