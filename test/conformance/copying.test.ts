import { describe, expect, it } from 'vitest';
import { copyInto } from '../../src/ledger/books/balance/copy-into.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { clientRef, takePermit } from '../../src/ledger/permits/quota.js';
import { ENGINES, type Engine } from './engines.js';
import { publishedDrop } from './staged-drop.js';

const PAIRS = ENGINES.flatMap((from) =>
  ENGINES.map((to): [string, string, Engine, Engine] => [from.name, to.name, from, to]),
);

const FURTHER = [{ user: 'c@x.example' }];

const RULE = { requests: 2, perMs: 60_000, reserve: 0, pace: 'burst' } as const;

const CLIENT = clientRef('client');

describe.each(PAIRS)('from %s to %s', (_, __, from, to) => {
  it('a copy has the content and identity of its ledger, and continues its numbers', async () => {
    const { ledger } = await from.open();
    const into = (await to.open()).ledger;
    await publishedDrop(ledger, 'a.csv', [{ user: 'a@x.example' }, { user: 'b@x.example' }]);
    const copied = await copyInto(ledger, into, 'the copy');
    expect(copied).toMatchObject({ balanced: true, doubted: 0, totals: { drops: 1, submissions: 2 } });
    const again = (await to.open()).ledger;
    expect((await copyInto(into, again, 'the copy of the copy')).tables).toEqual(copied.tables);
    // An open connection to the copy has the salt of the empty ledger still.
    const goneOn = { ...into, salt: ledger.salt };
    const sent = [
      await publishedDrop(ledger, 'b.csv', FURTHER),
      await publishedDrop(goneOn, 'b.csv', FURTHER),
    ];
    expect(sent).toEqual([2, 2]);
    const runs = async (of: typeof ledger) => (await readState(of, ['runs'])).runs.map(({ runId }) => runId);
    expect(await runs(goneOn)).toEqual(await runs(ledger));
    // Imported records are known in both.
    expect(await publishedDrop(goneOn, 'c.csv', FURTHER)).toBe(3);
    expect((await readState(goneOn, ['submissions'])).submissions).toMatchObject([
      { state: 'waiting', count: 3 },
    ]);
  });

  it('permits count in the copy, for at least as long as in the ledger, and it has no leases', async () => {
    const { ledger, clock } = await from.open();
    const { ledger: into, clock: after } = await to.open();
    await publishedDrop(ledger, 'a.csv', [{ user: 'a@x.example' }]);
    const take = (of: typeof ledger) => takePermit(of, CLIENT, RULE, 'push', 1_000);
    for (const _ of [1, 2]) expect(await take(ledger)).toHaveProperty('permitId');
    await clock.pass(1);
    await copyInto(ledger, into, 'the copy');
    expect(await take(into)).toHaveProperty('waitMs');
    await after.pass(60_000);
    expect(await take(into)).toHaveProperty('waitMs');
    const { leases } = (await readState(into, ['work'])).work;
    expect(leases).toEqual([]);
  });

  it('a database that is not empty is not overwritten', async () => {
    const { ledger } = await from.open();
    const into = (await to.open()).ledger;
    await publishedDrop(into, 'a.csv', [{ user: 'a@x.example' }]);
    const before = await readState(into, ['submissions', 'runs']);
    await expect(copyInto(ledger, into, 'the other')).rejects.toThrow(
      /the other is not empty: its table \w+ has rows/,
    );
    expect(await readState(into, ['submissions', 'runs'])).toEqual(before);
  });
});
