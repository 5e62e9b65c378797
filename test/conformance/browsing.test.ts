import { describe, expect, it } from 'vitest';
import { rowPage } from '../../src/ledger/books/rows/browsed-rows.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { ResolvedSelection } from '../../src/ledger/submissions/select/select-rows.js';
import type { PageQuery, RowPlace } from '../../src/ledger/submissions/select/selection.js';
import { ACCEPTED, claimNext, deliverNext, REJECTED, THROTTLED } from '../support/staged-ledger.js';
import { pushLease } from './delivery.js';
import { ENGINES } from './engines.js';
import { START } from './found-outage.js';
import { invalidRow } from './invalid-row.js';
import { learner } from './learner.js';
import { selectionOf } from './selection-of.js';
import { fileOf, publishedDrop, stage } from './staged-drop.js';

const [ADA, BEA, CY, DAN] = ['ada', 'bea', 'cy', 'dan'].map((name) => ({ user: `${name}@x.example` }));

describe.each(ENGINES)('on $name', ({ open }) => {
  /** Of a.csv Ada's row is accepted, Bea's refused, Cy's under way, and line 5 is invalid; of b.csv Dan's row waits. */
  async function delivered() {
    const opened = await open();
    const { ledger } = opened;
    const file = await fileOf(ledger, 'a.csv');
    const first = await publishedDrop(ledger, file, [ADA, BEA, CY, invalidRow(5)].map(completed));
    const lease = await pushLease(ledger, file.runId);
    await deliverNext(ledger, lease, file.runId, ACCEPTED);
    await deliverNext(ledger, lease, file.runId, REJECTED, 400);
    await claimNext(ledger, lease, file.runId);
    const second = await publishedDrop(ledger, 'b.csv', [completed(DAN)]);
    return { ...opened, first, second, runId: file.runId };
  }

  function completed<T>(row: T | undefined): T {
    if (row === undefined) throw new Error('there are four');
    return row;
  }

  const FIRST: PageQuery = { after: null, limit: 50, direction: 'asc' };

  async function listed(ledger: Ledger, rows: ResolvedSelection, query: Partial<PageQuery> = {}) {
    const page = await rowPage(ledger, rows, { ...FIRST, ...query });
    return page.rows.map(({ dropId, line, state }) => [dropId, line, state]);
  }

  describe('a page of rows', () => {
    it('has them in the order of drops and lines or against it, in their present states', async () => {
      const { ledger, first, second } = await delivered();
      const all = [
        [first, 2, 'accepted'],
        [first, 3, 'rejected'],
        [first, 4, 'sending'],
        [first, 5, 'invalid'],
        [second, 2, 'waiting'],
      ];
      expect(await listed(ledger, selectionOf())).toEqual(all);
      expect(await listed(ledger, selectionOf(), { direction: 'desc' })).toEqual(all.toReversed());
    });

    it.each(['asc', 'desc'] as const)(
      '%s: pages have each row once, however long they are',
      async (direction) => {
        const { ledger } = await delivered();
        const whole = await listed(ledger, selectionOf(), { direction });
        for (const limit of [1, 2, 4]) {
          const found: unknown[] = [];
          for (let after: RowPlace | null | undefined; after !== null; ) {
            const page = await rowPage(ledger, selectionOf(), { direction, limit, after: after ?? null });
            expect(page.rows.length).toBeLessThanOrEqual(limit);
            found.push(...page.rows.map(({ dropId, line, state }) => [dropId, line, state]));
            after = page.next;
          }
          expect(found).toEqual(whole);
        }
      },
    );

    it('has the rows of the selection alone', async () => {
      const { ledger, first, second, runId } = await delivered();
      const ada = [learner(ledger, 'ada@x.example')];
      for (const [selection, places] of [
        [selectionOf({ states: ['rejected', 'invalid'] }), [`${first}:3`, `${first}:5`]],
        [selectionOf({ cause: 'bad-request' }), [`${first}:3`]],
        [selectionOf({ cause: 'platform-refused' }), [`${first}:3`]],
        [selectionOf({ cause: 'value-missing' }), [`${first}:5`]],
        [selectionOf({ file: 'b.csv' }), [`${second}:2`]],
        [selectionOf({ run: runId, states: ['accepted', 'waiting'] }), [`${first}:2`]],
        [selectionOf({ content: 'C-2' }), []],
        [selectionOf({}, ada), [`${first}:2`]],
        [selectionOf({ rows: [{ file: 'a.csv', line: 4 }] }), [`${first}:4`]],
      ] as const) {
        const rows = await listed(ledger, selection);
        expect([selection, rows.map(([dropId, line]) => `${dropId}:${line}`)]).toEqual([selection, places]);
      }
    });

    it('says of each row why it is as it is, since when, and what the platform said', async () => {
      const { ledger } = await delivered();
      const { rows, count, next } = await rowPage(
        ledger,
        selectionOf({ states: ['rejected', 'invalid'] }),
        FIRST,
      );
      expect(rows).toMatchObject([
        {
          line: 3,
          cause: 'platform-refused',
          code: 'bad-request',
          since: START,
          requests: 1,
          answer: { status: 400 },
          record: { 'user-id': 'bea@x.example' },
          cells: ['row 1'],
        },
        { line: 5, submissionId: null, cause: null, code: 'value-missing', issues: [{ column: 'Email' }] },
      ]);
      expect([count, next]).toEqual([2, null]);
    });

    it('has no row of an unpublished drop', async () => {
      const { ledger } = await delivered();
      const before = await listed(ledger, selectionOf());
      await stage(ledger, [{ user: 'eve@x.example' }], { publish: false });
      expect(await listed(ledger, selectionOf())).toEqual(before);
    });

    it('of a file or a run that does not exist is refused', async () => {
      const { ledger, runId } = await delivered();
      for (const selection of [
        { file: 'no.csv' },
        { run: runId + 99 },
        { rows: [{ file: 'a.csv', line: 99 }] },
      ]) {
        await expect(rowPage(ledger, selectionOf(selection), FIRST)).rejects.toThrow(
          /there is no|no file|has no row on line/,
        );
      }
    });
  });

  it('causes are counted with their drops, most rows first, and refused files are listed beside them', async () => {
    const { ledger } = await open();
    expect(await readState(ledger, ['causes', 'refusedFiles'])).toEqual({ causes: [], refusedFiles: [] });
    const rows = [invalidRow(2), invalidRow(3), invalidRow(4, 'row-ragged')];
    const first = await publishedDrop(ledger, 'a.csv', rows);
    const second = await publishedDrop(ledger, 'b.csv', [invalidRow(2)]);
    await stage(ledger, [{}], { publish: false });
    const refusal = { code: 'drop-unreadable', text: 'It is cut.' } as const;
    const refused = await refuseDrop(
      ledger,
      { ...(await fileOf(ledger, 'cut.csv')), format: 'csv' },
      refusal,
    );
    expect(await readState(ledger, ['causes', 'refusedFiles'])).toMatchObject({
      causes: [
        {
          state: 'invalid',
          code: 'value-missing',
          count: 3,
          example: 'a.csv:2',
          drops: [
            { drop: first, count: 2 },
            { drop: second, count: 1 },
          ],
        },
        { code: 'row-ragged', count: 1, drops: [{ drop: first }] },
      ],
      refusedFiles: [{ drop: refused, file: 'cut.csv', code: 'drop-unreadable' }],
    });
  });

  it('requests since a time are counted hour by hour, by how they were answered, and those of a run up to some thousands', async () => {
    const { ledger, clock } = await open();
    const { runId } = await stage(ledger, [ADA, BEA, CY, DAN].map(completed));
    const lease = await pushLease(ledger, runId);
    await deliverNext(ledger, lease, runId, ACCEPTED);
    await clock.pass(60_000);
    const since = new Date(clock.nowMs()).toISOString();
    await deliverNext(ledger, lease, runId, ACCEPTED);
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    await clock.setWall(clock.nowMs() + 3_600_000);
    await deliverNext(ledger, lease, runId, THROTTLED, 429);
    const { sent } = await readState(ledger, ['sent'], { since });
    const NO_OTHER = { failed: 0, open: 0 };
    expect(sent).toEqual([
      { at: '2026-03-02T08:00:00.000Z', sent: 2, accepted: 1, refused: 1, ...NO_OTHER, throttled: 0 },
      { at: '2026-03-02T09:00:00.000Z', sent: 1, accepted: 0, refused: 0, ...NO_OTHER, throttled: 1 },
    ]);
    const { runs } = await readState(ledger, ['runs']);
    expect(runs).toMatchObject([{ runId, requests: 4, files: 1, end: null }]);
    const later = new Date(clock.nowMs() + 1).toISOString();
    expect((await readState(ledger, ['sent'], { since: later })).sent).toEqual([]);
  });
});
