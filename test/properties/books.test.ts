import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SAME_KEY_RULES, type SameKeyRule } from '../../src/domain/delivery/same-key.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import type { Faults } from '../../src/sandbox/faults.js';
import { seededRandom } from '../../src/sandbox/seeded-random.js';
import type { StoredCompletion } from '../../src/sandbox/world.js';
import { dispositionsOf, sourceOf, stageContent } from '../staging/staging-bench.js';
import { csvOf, type ExportRow } from '../support/exports.js';
import { lives } from '../support/ledger-trace.js';
import { type PushBench, pushBench } from '../support/push-bench.js';
import { randomExport } from '../support/random-exports.js';
import { samples } from '../support/samples.js';
import { statsOf } from '../support/sandbox-stats.js';

/** Faults after which nothing can have been written. */
const harmless: fc.Arbitrary<Faults> = fc.record({
  rates: fc.record({ throttle: rate(0.1), 'drop-before': rate(0.1) }),
  schedule: fc.array(
    fc.record({
      kind: fc.constantFrom('server-error', 'unauthorized'),
      at: fc.nat(20).map((n) => n + 1),
      times: fc.nat(3).map((n) => n + 1),
    }),
    { maxLength: 3 },
  ),
});

/** Faults that hide whether the request was carried out. */
const doubling: fc.Arbitrary<Faults> = fc.record({
  rates: fc.record({
    'server-error': rate(0.15),
    'bad-gateway': rate(0.1),
    'drop-after': rate(0.15),
    throttle: rate(0.05),
  }),
});

/** Drops in the order they come in; after each, whether there is a push. */
const deliveries = fc.array(fc.tuple(randomExport, fc.boolean()), { minLength: 1, maxLength: 3 });

/** The rule for rows of one key in a file. */
const sameKeys = fc.constantFrom(...SAME_KEY_RULES);

it('the books balance and each accepted record is at the platform once, whatever comes in, under faults that write nothing', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, harmless, fc.integer(), sameKeys, async (drops, faults, seed, sameKey) => {
      const bench = await delivered(drops, faults, seed, sameKey);
      await expectSoundBooks(bench);
      const { platform } = bench;
      expect(platform.completions().map(described).toSorted()).toEqual((await acceptedIn(bench)).toSorted());
      expect(platform.completions().every(({ writes }) => writes === 1)).toBe(true);
      expectNoWayBack(platform);
    }),
    { numRuns: samples(25) },
  );
});

it('what was written twice is counted, under faults that hide whether it was', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, doubling, fc.integer(), sameKeys, async (drops, faults, seed, sameKey) => {
      const bench = await delivered(drops, faults, seed, sameKey);
      await expectSoundBooks(bench);
      const held = bench.platform.completions().map(described);
      for (const accepted of await acceptedIn(bench)) expect(held).toContain(accepted);
      const { repeats } = (await readBooks(bench.ledger, {})).attempts;
      expect(statsOf(bench.platform).repeatedWrites).toBeLessThanOrEqual(repeats);
    }),
    { numRuns: samples(25) },
  );
});

it('the same records in another order of rows stage nothing, whatever became of them', async () => {
  await fc.assert(
    fc.asyncProperty(randomExport, fc.boolean(), sameKeys, async (rows, isPushed, sameKey) => {
      const bench = await delivered([[rows, isPushed]], {}, 1, sameKey);
      const source = sourceOf({ sameKey });
      const again = await stageContent(bench.ledger, csvOf(rows.toReversed()), { source });
      if (again.kind === 'repeated') return;
      expect(dispositionsOf(again)).toMatchObject({ staged: 0, amended: 0 });
    }),
    { numRuns: samples(25) },
  );
});

async function delivered(
  drops: readonly (readonly [readonly ExportRow[], boolean])[],
  faults: Faults,
  seed: number,
  sameKey: SameKeyRule,
): Promise<PushBench> {
  const bench = pushBench({ sandbox: { faults, random: seededRandom(seed) }, latencyMs: 100 });
  for (const [rows, isPushed] of drops) {
    await stageContent(bench.ledger, csvOf(rows), { source: sourceOf({ sameKey }) });
    if (isPushed) await bench.push();
  }
  // The platform works again, so that in the end nothing waits.
  bench.platform.setFaults({});
  expect(await bench.push()).toEqual({ kind: 'drained' });
  return bench;
}

async function expectSoundBooks({ ledger, platform, sentAtMs }: PushBench): Promise<void> {
  expect(await imbalances(ledger)).toEqual([]);
  const { states, attempts } = await readBooks(ledger, {});
  expect(states).toMatchObject({ waiting: 0, sending: 0 });
  expect(attempts.total).toBe(sentAtMs().length);
  expect(statsOf(platform).overQuota).toBe(0);
}

/** Of one learner and content, the platform never gets an older completion after a newer one. */
function expectNoWayBack({ received }: PushBench['platform']): void {
  const latest = new Map<string, string>();
  for (const { written, attributes } of received) {
    if (!written) continue;
    const {
      'user-id': user,
      'content-id': content,
      'completed-at': at,
    } = attributes as Record<string, string>;
    const slot = `${user} ${content}`;
    expect(String(at) >= (latest.get(slot) ?? '')).toBe(true);
    latest.set(slot, String(at));
  }
}

/** Accepted submissions as the platform would describe them. */
async function acceptedIn({ ledger }: PushBench): Promise<string[]> {
  const accepted = (await lives(ledger)).filter(({ state }) => state === 'accepted');
  return accepted.map(({ record }) => describedFields(record ?? {}));
}

function described({ attributes }: StoredCompletion): string {
  return describedFields({ ...attributes });
}

function describedFields(fields: Readonly<Record<string, unknown>>): string {
  return ['user-id', 'content-id', 'completed-at', 'percentile']
    .map((name) => String(fields[name]))
    .join(' ');
}

function rate(most: number): fc.Arbitrary<number> {
  return fc.double({ min: 0, max: most, noNaN: true });
}
