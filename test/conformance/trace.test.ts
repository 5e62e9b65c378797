import { describe, expect, it } from 'vitest';
import { isoFromMs } from '../../src/domain/clock.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { readTrace } from '../../src/ledger/trace/read-trace.js';
import { ACCEPTED, deliverNext, UNKNOWN_LEARNER } from '../support/staged-ledger.js';
import { pushLease } from './delivery.js';
import { ENGINES } from './engines.js';
import { learner } from './learner.js';
import { stage } from './staged-drop.js';

const ADA = 'ada@x.example';

const query = (what: string, ledger?: Ledger) => ({
  what,
  learners: ledger === undefined ? [] : [learner(ledger, what)],
  searchAll: true,
});

/** The number of the submission that a row became. */
async function submissionOf(ledger: Ledger, dropId: number, line: number): Promise<number> {
  const { lives } = await readTrace(ledger, query(`${dropId}:${line}`));
  return lives[0]?.submission ?? 0;
}

describe.each(ENGINES)('on $name', ({ open }) => {
  describe('a trace', () => {
    it('finds the same life by submission, by line, by learner and by its key', async () => {
      const { ledger } = await open();
      const { dropId } = await stage(ledger, [{ user: 'bea@x.example' }, { user: ADA }]);
      const submissionId = await submissionOf(ledger, dropId, 3);
      const bySubmission = await readTrace(ledger, query(`#${submissionId}`));
      const key = bySubmission.lives[0]?.key ?? '';
      expect(bySubmission).toMatchObject({
        kind: 'submission',
        rows: [{ dropId, line: 3, disposition: 'staged', submission: submissionId }],
        lives: [{ submission: submissionId, state: 'waiting', queue: { before: 1, behind: null } }],
      });
      for (const [what, kind] of [
        [query(`${dropId}:3`), 'row'],
        [query(ADA, ledger), 'learner'],
        [query(key), 'key'],
      ] as const) {
        const { rows, lives, ...found } = await readTrace(ledger, what);
        expect([found.kind, rows, lives]).toEqual([kind, bySubmission.rows, bySubmission.lives]);
      }
    });

    it('follows a row to the submission that it repeats, and to all rows that repeat that', async () => {
      const { ledger } = await open();
      const one = await stage(ledger, [{ user: ADA }]);
      const two = await stage(ledger, [{ user: ADA }]);
      const { rows, drops } = await readTrace(ledger, query(`${two.dropId}:2`));
      expect(rows.map(({ dropId, disposition }) => [dropId, disposition])).toEqual([
        [one.dropId, 'staged'],
        [two.dropId, 'duplicate'],
      ]);
      expect(drops.map(({ dropId }) => dropId)).toEqual([one.dropId, two.dropId]);
    });

    it('shows the rechecks of a refused learner', async () => {
      const { ledger, clock } = await open();
      const { dropId, runId } = await stage(ledger, [{ user: ADA }, { user: 'bea@x.example' }]);
      const lease = await pushLease(ledger, runId);
      const checkedAt = isoFromMs(clock.nowMs());
      await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
      await deliverNext(ledger, lease, runId, ACCEPTED);
      expect((await readTrace(ledger, query(`${dropId}:2`))).lives).toMatchObject([
        { state: 'rejected', queue: null, hold: { rechecks: 0, checkedAt } },
      ]);
      expect((await readTrace(ledger, query(`${dropId}:3`))).lives).toMatchObject([
        { queue: null, hold: null },
      ]);
    });

    it('finds nothing in an unpublished drop, but says that the drop exists', async () => {
      const { ledger } = await open();
      const before = await stage(ledger, [{ user: 'bea@x.example' }]);
      const { dropId } = await stage(ledger, [{ user: ADA }], { publish: false });
      const latest = await submissionOf(ledger, before.dropId, 2);
      for (let number = latest + 1; number < latest + 10; number += 1) {
        const found = await readTrace(ledger, query(`#${number}`));
        expect(found).toMatchObject({ kind: null, lives: [], rows: [] });
      }
      expect(await readTrace(ledger, query(`${dropId}:2`))).toMatchObject({
        kind: null,
        rows: [],
        named: [{ line: 2, drop: { dropId, state: 'staging' } }],
      });
    });

    it('names the lines where no row was read', async () => {
      const { ledger } = await open();
      const { dropId } = await stage(ledger, [{ user: ADA }]);
      const found = await readTrace(ledger, query(`${dropId}:99`));
      expect(found).toMatchObject({ kind: null, missing: [{ dropId, line: 99 }], rows: [] });
    });

    it('finds no key that it never had', async () => {
      const { ledger } = await open();
      const { dropId } = await stage(ledger, [{ user: ADA }]);
      const key = (await readTrace(ledger, query(`${dropId}:2`))).lives[0]?.key ?? '';
      const others = [key.replace(/^.{16}/, '0'.repeat(16)), key.replace('/main/', '/test/'), `${key}0`];
      for (const other of [...others, key.replace(/[a-z-]+\/(?=[^/]*$)/, 'nothing/')])
        expect((await readTrace(ledger, query(other))).kind).toBeNull();
      expect((await readTrace(ledger, query('nobody@x.example', ledger))).kind).toBeNull();
    });
  });
});
