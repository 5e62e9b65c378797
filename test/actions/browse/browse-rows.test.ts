import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { browseRows } from '../../../src/actions/browse/browse-rows.js';
import { systemClock } from '../../../src/domain/clock.js';
import { ISSUE_CODES } from '../../../src/domain/issue.js';
import type { Selection } from '../../../src/domain/selection.js';
import { STATES } from '../../../src/domain/submission.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { stageContent } from '../../staging/staging-bench.js';
import { actionContext } from '../../support/action-context.js';
import { ANY_ROW } from '../../support/any-row.js';
import { browsedLedger } from '../../support/browsed-ledger.js';
import { csvOf, exportRow, exportRows } from '../../support/exports.js';
import { select } from '../../support/select.js';
import { stage, testLedger } from '../../support/staged-ledger.js';

const ALL: Selection = { ...ANY_ROW, states: ['rejected', 'failed', 'in-doubt', 'held', 'invalid'] };

const EVERY: Selection = { ...ALL, states: [...STATES, 'invalid'] };

type PageRequest = Partial<Parameters<typeof browseRows>[1]>;

async function page(ledger: Ledger, selection: Selection, request: PageRequest = {}) {
  const usual = { search: null, after: null, limit: 50 };
  return browseRows(actionContext(ledger), { selection, ...usual, ...request });
}

/** All pages of this size, one after the other. */
async function pages(ledger: Ledger, selection: Selection, request: PageRequest) {
  const rows: string[] = [];
  for (let after: string | null = null; ; ) {
    const { rows: found, next } = await page(ledger, selection, { ...request, after });
    rows.push(
      ...found.map(({ drop: dropId, line, submission: submissionId }) => `${dropId}:${line}#${submissionId}`),
    );
    if (next === null) return rows;
    expect(next).not.toBe(after);
    after = next;
  }
}

describe('the rows of a selection', () => {
  it('of a cause are as many as the list of causes counts', async () => {
    const ledger = testLedger(systemClock());
    const rows = [
      exportRow(40, { status: 'Erledigt?' }),
      exportRow(41, { status: 'Erledigt?', email: 'nobody', at: 'never' }),
    ];
    await stageContent(ledger, csvOf([...exportRows(9, 50), ...rows]));
    const found = async (cause: string) => {
      const { rows, total } = await page(ledger, { ...ALL, states: ['invalid'], cause });
      return [total, ...rows.slice(-1).map(({ line, code, reason }) => [line, code, reason])];
    };
    expect(await found('status-unknown')).toEqual([1, [11, 'status-unknown', ISSUE_CODES['status-unknown']]]);
    expect((await found('email-invalid')).at(-1)).toEqual([
      12,
      'email-invalid',
      ISSUE_CODES['email-invalid'],
    ]);
  });

  it('are all on pages of any size, each once, in the order of files and lines, and backwards as well', async () => {
    const ledger = await browsedLedger();
    const submissions = await select(ledger, { states: STATES });
    const states = fc.subarray([...STATES, 'invalid'] as const, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        states,
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (states, limit, isDescending) => {
          const selection = { ...ALL, states };
          const whole = await page(ledger, selection, { limit: 500 });
          const names = whole.rows.map(
            ({ drop: dropId, line, submission: submissionId }) => `${dropId}:${line}#${submissionId}`,
          );
          const places = whole.rows.map(({ drop: dropId, line }) => dropId * 1_000 + line);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
          expect(whole.rows.filter(({ submission }) => submission !== null)).toHaveLength(
            submissions.filter(({ state }) => states.includes(state)).length,
          );
          expect([null, names.length]).toContain(whole.total);
          const paged = await pages(ledger, selection, { limit, isDescending });
          expect(paged).toEqual(isDescending ? names.toReversed() : names);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are found by cause, learner, content, file, time, run and name', async () => {
    const ledger = await browsedLedger();
    const lines = async (narrowed: Partial<Selection>) =>
      (await page(ledger, { ...EVERY, ...narrowed })).rows.map(
        ({ drop: dropId, line }) => `${dropId}:${line}`,
      );
    const every = await lines({});
    expect(await lines({ learner: 'zq@northwind.example' })).toEqual(['1:3', '2:2', '2:3']);
    expect(await lines({ content: 'C-9' })).toEqual(['1:15', '2:2']);
    expect(await lines({ cause: 'timestamp-invalid' })).toEqual(['1:4', '2:5', '2:7', '2:9']);
    expect(await lines({ cause: 'bad-request' })).not.toEqual([]);
    expect(await lines({ rows: [1, { file: '1', line: 4 }] })).toEqual(['1:2', '1:4']);
    const [, second] = [every.filter((at) => at.startsWith('1:')), every.filter((at) => at.startsWith('2:'))];
    expect(await lines({ run: 3 })).toEqual(second);
    expect(await lines({ run: 1 })).toEqual(every.filter((at) => at.startsWith('1:')));
    const [{ since: at = null } = {}] = (await page(ledger, EVERY, { isDescending: true })).rows;
    expect(await lines({ since: at })).toEqual(second);
    expect(await lines({ until: at })).toEqual(every.filter((at) => at.startsWith('1:')));
  });

  it('leave out a drop that is being staged', async () => {
    const ledger = await browsedLedger();
    const before = (await page(ledger, EVERY)).rows.length;
    await stage(ledger, [{}, { user: 'other@x.example' }], { publish: false });
    expect((await page(ledger, EVERY)).rows).toHaveLength(before);
  });

  it('show the cells of the file, what was read from them, and the platform’s answer', async () => {
    const ledger = await browsedLedger();
    const [row] = (await page(ledger, { ...ALL, states: ['rejected'] })).rows;
    expect(row).toMatchObject({
      drop: 1,
      line: 2,
      submission: 1,
      code: 'bad-request',
      learner: 'ottoline.bellweather@northwind.example',
      content: 'C-1',
      answer: 'Refused: ottoline.bellweather@northwind.example and zq@northwind.example',
      reason: 'the platform refused the record (bad-request)',
    });
    expect(row?.cells?.map(({ column }) => column)).toEqual([
      'Email',
      'Course ID',
      'Completed on',
      'Status',
      'Name',
    ]);
    const clone = structuredClone(row);
    expect(clone).toEqual(row);
  });
});

describe('a search', () => {
  it('finds rows by any cell, in any case, over pages of any size', async () => {
    const ledger = await browsedLedger();
    const found = (await page(ledger, EVERY, { search: 'QUIMBY' })).rows.map(({ line }) => line);
    expect(found).toEqual([3, 4, 5, 2, 3]);
    expect(await pages(ledger, EVERY, { search: 'quimby', limit: 1 })).toHaveLength(5);
  });

  it('pauses when it takes too long, and continues from there', async () => {
    const ledger = await browsedLedger();
    await stage(
      ledger,
      Array.from({ length: 230 }, (_, n) => ({ user: `n${n}@x.example` })),
    );
    const all = { ...ALL, states: ['waiting'] } as const;
    const first = await page(ledger, all, { search: 'n229@' });
    expect(first).toMatchObject({ rows: [], lookedThrough: 200, isComplete: false });
    const second = await page(ledger, all, { search: 'n229@', after: first.next });
    expect(second).toMatchObject({ isComplete: true, next: null });
    expect(second.rows).toHaveLength(1);
  });
});

it('a cursor that no page returned is refused', async () => {
  const ledger = await browsedLedger();
  await expect(page(ledger, ALL, { after: '1; drop table run' })).rejects.toThrow('begins after');
});
