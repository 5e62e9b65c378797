import { describe, expect, it } from 'vitest';
import { type BegunRun, withRun } from '../../src/ledger/attempts/with-run.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { withLeases } from '../../src/ledger/leases/leases.js';
import type { Owner } from '../../src/ledger/leases/owner.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ENGINES } from './engines.js';
import { elsewhere } from './under-way.js';

const ONE = elsewhere('one', 1);
const OTHER = elsewhere('other', 2);

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a free lease is held until the work has ended, and then free again', async () => {
    const { ledger } = await open();
    const names = ['stage', 'push:main'] as const;
    const fences: number[] = [];
    for (const owner of [ONE, OTHER]) {
      const taken = await withLeases(ledger, names, owner, null, async ({ leases, lost }) => {
        expect([leases.map(({ name }) => name), lost.aborted]).toEqual([[...names], false]);
        fences.push(...leases.map(({ fence }) => fence.number));
        return owner.id;
      });
      expect(taken).toEqual({ done: owner.id });
    }
    expect(fences).toEqual([1, 1, 2, 2]);
  });

  it('the first lease that another process holds is named, the others are released, and nothing was done', async () => {
    const { ledger } = await open();
    await withLeases(ledger, ['push:main'], ONE, null, async () => {
      const inTheWay = await withLeases(ledger, ['stage', 'push:main'], OTHER, null, async () => {
        throw new Error('no process holds both');
      });
      expect(inTheWay).toMatchObject({ name: 'push:main', holder: { pid: 1, host: 'one.example' } });
      expect(await withLeases(ledger, ['stage'], ONE, null, async () => 'free')).toEqual({ done: 'free' });
    });
  });

  it('work that throws releases its leases', async () => {
    const { ledger } = await open();
    const broken = withLeases(ledger, ['stage'], ONE, null, async () => {
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(await withLeases(ledger, ['stage'], OTHER, null, async () => 'free')).toEqual({ done: 'free' });
  });

  const cron = (owner: Owner) => ({
    trigger: 'cron' as const,
    owner,
    version: 'test',
    environments: ['main'],
  });

  /** A run that breaks off before its report is shown. */
  async function brokenRun(ledger: Ledger) {
    const work = async () => {
      throw new Error('broken');
    };
    await expect(withRun(ledger, { ...cron(ONE), environments: null }, work, () => 'done')).rejects.toThrow(
      'broken',
    );
  }

  const answered = async ({ adopted }: BegunRun) => adopted;

  it('a run that broke off is adopted once, by the next run that adopts others and finishes', async () => {
    const { ledger } = await open();
    await brokenRun(ledger);
    await brokenRun(ledger);
    expect(await withRun(ledger, { ...cron(ONE), environments: null }, answered, () => 'done')).toBe(0);
    expect(await withRun(ledger, cron(ONE), answered, () => 'error')).toBe(2);
    expect(await withRun(ledger, cron(ONE), answered, () => 'done')).toBe(1);
    expect(await withRun(ledger, cron(ONE), answered, () => 'done')).toBe(0);
  });

  it('a run ends as its result says, and has the highest number while it goes on', async () => {
    const { ledger } = await open();
    const numbers: number[] = [];
    for (const end of ['attention', 'done'] as const) {
      await withRun(
        ledger,
        cron(ONE),
        async ({ runId }) => {
          numbers.push(runId);
          expect((await readState(ledger, ['runs'])).runs[0]).toMatchObject({ runId, end: null });
        },
        () => end,
      );
    }
    expect((await readState(ledger, ['runs'])).runs).toMatchObject([
      { runId: numbers[1], end: 'done' },
      { runId: numbers[0], end: 'attention' },
    ]);
  });

  it('a run whose process may live is left alone', async () => {
    const { ledger } = await open();
    const beside = async () => withRun(ledger, cron(OTHER), answered, () => 'done');
    expect(await withRun(ledger, cron(ONE), beside, () => 'done')).toBe(0);
  });

  it('the holder of a lease says whether it delivers all waiting rows or those of a rerun', async () => {
    const { ledger } = await open();
    for (const [trigger, takesAll] of [
      ['rerun', false],
      ['cron', true],
    ] as const) {
      const held = async ({ runId }: BegunRun) =>
        withLeases(ledger, ['push:main'], ONE, runId, async () => {
          const inTheWay = await withLeases(ledger, ['push:main'], OTHER, null, async () => {
            throw new Error('another process holds it');
          });
          expect(inTheWay).toMatchObject({ holder: { runId, takesAll } });
        });
      await withRun(ledger, { ...cron(ONE), trigger }, held, () => 'done');
    }
  });
});
