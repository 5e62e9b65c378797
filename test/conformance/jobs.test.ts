import { describe, expect, it } from 'vitest';
import type { JobSlot } from '../../src/domain/process/job.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { registerJobs, withSlot } from '../../src/ledger/leases/jobs.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { ENGINES } from './engines.js';
import { underWay } from './under-way.js';

const JOB = 'report at 0 7 * * *';
const DAY = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].map((day) => `${day}T07:00:00.000Z`);
const slot = (at: number, since = at - 1, missed = 0): JobSlot => ({
  job: JOB,
  slotAt: DAY[at] ?? '',
  sinceAt: DAY[since] ?? '2026-03-01T07:00:00.000Z',
  missed,
});

describe.each(ENGINES)('on $name', ({ open }) => {
  async function world() {
    const { ledger, clock, connect } = await open();
    await clock.setWall(Date.parse('2026-03-05T08:00:00.000Z'));
    await registerJobs(ledger, [JOB]);
    const begun: string[] = [];
    const work = (one: JobSlot, ending: 'done' | 'failed' | 'interrupted' = 'done') =>
      withSlot(ledger, one, thisProcess(), async () => {
        begun.push(one.slotAt);
        return { result: ending, ending };
      });
    return {
      ledger,
      clock,
      connect,
      begun,
      work,
      facts: async () => (await readState(ledger, ['jobs'], { jobs: [JOB] })).jobs[0],
    };
  }

  describe('a slot of a job', () => {
    it('is worked on once, whichever service claims it', async () => {
      const { begun, work } = await world();
      expect(await work(slot(0))).toEqual({ done: 'done' });
      expect(await work(slot(0))).toBe('past');
      expect(begun).toHaveLength(1);
    });

    it('replaces the slots before it that were missed: no service works on those any more', async () => {
      const { begun, work } = await world();
      await work(slot(2, -1, 2));
      expect(await work(slot(1))).toBe('past');
      expect(await work(slot(3))).toEqual({ done: 'done' });
      expect(begun).toEqual([DAY[2], DAY[3]]);
    });

    it('is worked on by one process at a time: a second one learns which', async () => {
      const { ledger, work } = await world();
      const taken = await withSlot(ledger, slot(0), thisProcess(), async () => ({
        result: await work(slot(1)),
        ending: 'done',
      }));
      expect(taken).toMatchObject({ done: { holder: { pid: process.pid } } });
    });

    it('that fails counts as worked on, and its error is thrown', async () => {
      const { ledger, facts, work } = await world();
      const failing = withSlot(ledger, slot(0), thisProcess(), async () => {
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect(await facts()).toMatchObject({
        sinceAt: DAY[0],
        latest: { ending: 'failed' },
        lastDoneAt: null,
      });
      expect(await work(slot(0))).toBe('past');
    });

    it('that was interrupted is worked on again, however often', async () => {
      const { begun, work } = await world();
      for (let n = 0; n < 5; n += 1) await work(slot(0), 'interrupted');
      expect(await work(slot(0))).toEqual({ done: 'done' });
      expect(begun).toHaveLength(6);
    });

    it('that was interrupted, and whose place a later one took, did not die', async () => {
      const { work, facts, clock } = await world();
      await work(slot(0), 'interrupted');
      await work(slot(2, -1, 2), 'interrupted');
      await work(slot(2, -1, 2));
      expect(await facts()).toMatchObject({ latest: { slotAt: DAY[2], ending: 'done' } });
      await clock.setWall(Date.parse(DAY[0] ?? ''));
      expect(await facts()).toMatchObject({ sinceAt: DAY[0] });
    });

    it('whose process died is worked on again once the lease has expired, three times at most', async () => {
      const { clock, connect, work, facts } = await world();
      for (let n = 0; n < 3; n += 1) {
        const dying = await connect('stuck');
        await underWay((work) => withSlot(dying, slot(0), thisProcess(), work), {
          result: null,
          ending: 'done' as const,
        });
        await clock.pass(31_000);
      }
      expect(await work(slot(0))).toBe('past');
      expect(await facts()).toMatchObject({ sinceAt: DAY[0], latest: { ending: 'died' } });
      expect(await work(slot(1))).toEqual({ done: 'done' });
    });

    it('of a clock that was set back since doesn’t block earlier slots', async () => {
      const { clock, work, facts } = await world();
      await work({ ...slot(0), slotAt: '2027-03-02T07:00:00.000Z' });
      await clock.setWall(Date.parse('2026-03-03T08:00:00.000Z'));
      expect(await work(slot(1))).toEqual({ done: 'done' });
      expect(await facts()).toMatchObject({ sinceAt: DAY[1] });
    });
  });

  it('the slots of a job count from the first service that knew it', async () => {
    const { ledger, clock, facts } = await world();
    const known = (await facts())?.sinceAt;
    await clock.pass(3_600_000);
    await registerJobs(ledger, [JOB]);
    expect((await facts())?.sinceAt).toBe(known);
    const [unknown] = (await readState(ledger, ['jobs'], { jobs: ['another'] })).jobs;
    expect(unknown).toEqual({
      job: 'another',
      sinceAt: '2026-03-05T09:00:00.000Z',
      latest: null,
      lastDoneAt: null,
    });
  });
});
