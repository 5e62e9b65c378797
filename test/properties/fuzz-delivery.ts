import { createServer } from 'node:net';
import { environmentSchema } from '../../src/config/schema/environment-schema.js';
import { systemClock } from '../../src/domain/clock.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import { ledgerTotals } from '../../src/ledger/store/ledger-facts.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { createPlatformClient } from '../../src/platform/client.js';
import type { Http } from '../../src/platform/http.js';
import { ledgerGate } from '../../src/push/ledger-gate.js';
import { pushEnvironment } from '../../src/push/push-environment.js';
import { type Draws, draws } from '../simulation/draws.js';
import { closeShared, emptyLedger, sharedLedger } from '../simulation/process-ledger.js';
import { stageRows } from '../simulation/stage-rows.js';
import { lives } from '../support/ledger-trace.js';
import { virtualClock } from '../support/virtual-clock.js';
import { drawAnswer, drawBytes } from './fuzz-answer.js';

/** The outcome of one seed's deliveries. */
export interface FuzzedDelivery {
  /** The fault, in words; null: none. */
  readonly fault: string | null;
  readonly requests: number;
  readonly accepted: number;
}

/** A process of its own that delivers for the seeds it gets, so that one that hangs can be killed. */
process.on('message', (seed: number) => {
  void deliverFor(seed).then((result) => process.send?.(result));
});

async function deliverFor(seed: number): Promise<FuzzedDelivery> {
  const draw = draws(`${seed}/answers`);
  try {
    return seed % 10 === 0 ? await askServer(draw) : await deliverAll(draw);
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { fault, requests: 0, accepted: 0 };
  }
}

const ROWS = 12;

/** Runs a few times what cron would run, against a platform that answers whatever is drawn. */
async function deliverAll(draw: Draws): Promise<FuzzedDelivery> {
  const clock = virtualClock();
  const shared = emptyLedger();
  const ledger = sharedLedger(shared, clock);
  try {
    await stageRows(ledger, ROWS);
    const config = environmentSchema.parse({
      ...ENVIRONMENT,
      exists: draw.pick(['reject', 'accept']),
      unknown: draw.pick(['resend', 'resend', 'hold']),
      resends: draw.between(0, 3),
      inFlight: draw.between(1, 8),
    });
    // Under a rate of sound answers the platform is one that works, with some odd answers.
    const soundness = draw.pick([0, 0.5, 0.9]);
    const platform = { requests: 0, statuses: [] as (number | null)[], writes: new Map<string, number>() };
    const http: Http = {
      async exchange({ body }, { mayLeave }) {
        await clock.sleep(draw.between(1, 200));
        if (!mayLeave()) return { response: null, failure: { code: 'fenced', message: '', sent: false } };
        const sent = body ?? '';
        const learner = String(attributesOf(sent)['user-id']);
        const isSound = draw.chance(soundness);
        const { result, isWritten } = isSound
          ? { result: { response: SOUND, failure: null }, isWritten: true }
          : drawAnswer(draw, { learner, body: sent });
        platform.requests += 1;
        platform.statuses.push(result.response?.status ?? null);
        const record = JSON.stringify(attributesOf(sent));
        const writes = platform.writes.get(record) ?? 0;
        if (isWritten) platform.writes.set(record, isWritten === 'before' ? Math.max(1, writes) : writes + 1);
        await clock.sleep(draw.between(1, 2_000));
        return result;
      },
      close: async () => {},
    };
    for (let run = draw.between(1, 4); run > 0; run -= 1) {
      await pushEnvironment({
        ledger,
        clock,
        owner: thisProcess(),
        runId: await beginRun(ledger, 'manual', thisProcess(), 'fuzz'),
        environment: 'main',
        config,
        gate: ledgerGate(ledger, config, clock),
        client: createPlatformClient(config, clock, http),
        tokens: {
          get: async () => ({ token: `token-${draw.between(1, 9)}` }),
          refuse() {},
          close: async () => {},
        },
        stop: new AbortController().signal,
        random: draw.random,
        listen: () => {},
      });
      await clock.sleep(draw.between(1, 60) * 60_000);
    }
    return {
      fault: await whatDiffers(ledger, platform),
      requests: platform.requests,
      accepted: (await ledgerTotals(ledger)).accepted,
    };
  } finally {
    closeShared(shared);
  }
}

const ENVIRONMENT = {
  baseUrl: 'https://platform.example',
  authUrl: 'https://login.example',
  clientId: 'client',
  clientSecret: 'secret',
  deadline: '10s',
};

const SOUND = { status: 201, headers: { 'content-type': 'application/json' }, text: '{}', complete: true };

/** The books of both sides; null where they agree. */
async function whatDiffers(
  ledger: Ledger,
  platform: { requests: number; statuses: (number | null)[]; writes: ReadonlyMap<string, number> },
): Promise<string | null> {
  const [imbalance] = await imbalances(ledger);
  if (imbalance) return `the books don't balance: ${JSON.stringify(imbalance)}`;
  const rows = await lives(ledger);
  if (rows.length !== ROWS) return `${rows.length} of ${ROWS} rows are left`;
  let again = 0;
  for (const { state, record: fields } of rows) {
    const record = JSON.stringify(fields);
    const writes = platform.writes.get(record) ?? 0;
    again += Math.max(0, writes - 1);
    if (state === 'sending') return `a row is under way for ever: ${record}`;
    if (state === 'accepted' && writes === 0) return `accepted, and the platform never wrote it: ${record}`;
  }
  const { repeats } = (await readBooks(ledger, {})).attempts;
  if (again > repeats) return `written ${again} times more than once, ${repeats} repeats are counted`;
  const answers = rows.flatMap(({ attempts }) => attempts).flatMap((attempt) => attempt.answers);
  const kept = answers.filter(({ failure }) => failure !== 'fenced').map(({ status }) => status);
  const [ours, theirs] = [kept, platform.statuses].map((statuses) => statuses.map(String).sort().join(' '));
  return ours === theirs ? null : `the ledger has the answers ${ours}; the platform gave ${theirs}`;
}

function attributesOf(body: string): Readonly<Record<string, unknown>> {
  return (JSON.parse(body) as { data: { attributes: Record<string, unknown> } }).data.attributes;
}

/** Real requests to a server that answers with whatever bytes are drawn. */
async function askServer(draw: Draws): Promise<FuzzedDelivery> {
  let bytes = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes, 'utf8'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const config = environmentSchema.parse({ ...ENVIRONMENT, baseUrl: url, authUrl: url, deadline: '100ms' });
  const client = createPlatformClient(config, systemClock());
  const request = { method: 'POST', path: '/api/v2/completions', body: { data: {} } } as const;
  let accepted = 0;
  try {
    for (let left = REQUEST_COUNT; left > 0; left -= 1) {
      bytes = drawBytes(draw);
      const { outcome, response } = await client.send(request, 'token', () => true);
      if (outcome.kind !== 'accepted') continue;
      accepted += 1;
      const isSuccess = (response?.status ?? 0) >= 200 && (response?.status ?? 0) < 300;
      if (!isSuccess || !/HTTP\/1\.[01] 2\d\d/.test(bytes)) {
        return {
          fault: `accepted: ${JSON.stringify(bytes.slice(0, 500))}`,
          requests: REQUEST_COUNT,
          accepted,
        };
      }
    }
    return { fault: null, requests: REQUEST_COUNT, accepted };
  } finally {
    await client.close();
    server.close();
  }
}

/** Requests to one server. */
const REQUEST_COUNT = 20;
