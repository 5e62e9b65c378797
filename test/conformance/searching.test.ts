import { describe, expect, it } from 'vitest';
import { recordAnswer } from '../../src/ledger/attempts/answers.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { personRows, searchLedger } from '../../src/ledger/trace/search-ledger.js';
import {
  ACCEPTED,
  answerOf,
  claimNext,
  deliverNext,
  REJECTED,
  TEST_POLICY,
} from '../support/staged-ledger.js';
import { pushLease } from './delivery.js';
import { ENGINES } from './engines.js';
import { invalidRow } from './invalid-row.js';
import { learner } from './learner.js';
import { fileOf, publishedDrop, stagedDrop, stageLease } from './staged-drop.js';

const ANNA = 'anna.schmidt@x.example';
const PAGE = { from: 0, count: 50 };

describe.each(ENGINES)('on $name', ({ open }) => {
  /** Of march.csv Anna's first row is accepted, Bea's refused with an error id, and line 4 is invalid; Anna's of april.csv waits. */
  async function delivered() {
    const opened = await open();
    const { ledger } = opened;
    const file = await fileOf(ledger, 'march.csv');
    const rows = [{ user: ANNA, content: 'C-1' }, { user: 'bea@x.example', content: 'C-2' }, invalidRow(4)];
    const march = await publishedDrop(ledger, file, rows);
    const lease = await pushLease(ledger, file.runId);
    await deliverNext(ledger, lease, file.runId, ACCEPTED);
    const claimed = await claimNext(ledger, lease, file.runId);
    const answer = answerOf(REJECTED, 400);
    const error = { id: 'err-4711', code: 'bad-request', title: 'Bad', detail: null, source: null };
    const response = answer.response && { ...answer.response, error };
    await recordAnswer(ledger, claimed?.attemptId ?? 0, { ...answer, response }, TEST_POLICY, file.runId);
    const april = await publishedDrop(ledger, 'april.csv', [{ user: ANNA, content: 'C-3' }]);
    return { ledger, march, april };
  }

  const search = (ledger: Ledger, text: string, limit = 20) =>
    searchLedger(ledger, {
      text,
      words: text.toLowerCase().split(' '),
      learners: [learner(ledger, text)],
      limit,
    });

  const idsOf = async (ledger: Ledger, text: string) =>
    (await search(ledger, text)).learners.map(({ id }) => id);

  describe('a search', () => {
    it('finds learners that have all words in their identifier, whatever the case, with their rows by state', async () => {
      const { ledger } = await delivered();
      expect((await search(ledger, 'Schmidt ANNA')).learners).toEqual([
        { type: 'Email', id: ANNA, isExact: false, states: { accepted: 1, waiting: 1 } },
      ]);
      expect(await idsOf(ledger, 'anna bea')).toEqual([]);
      expect(await idsOf(ledger, 'x.example')).toEqual(['bea@x.example', ANNA]);
      expect((await search(ledger, ANNA)).learners).toMatchObject([{ id: ANNA, isExact: true }]);
      expect((await search(ledger, 'x.example', 1)).learners).toHaveLength(1);
    });

    it('finds an e-mail address that is typed whole without those that it is a part of', async () => {
      const { ledger } = await delivered();
      await publishedDrop(ledger, 'may.csv', [{ user: `jo${ANNA}` }]);
      expect(await idsOf(ledger, ANNA)).toEqual([ANNA]);
      expect(await idsOf(ledger, ANNA.slice(1))).toEqual([`jo${ANNA}`, ANNA]);
    });

    it('finds no learner of a drop that is not published yet', async () => {
      const { ledger } = await delivered();
      await stagedDrop(ledger, await stageLease(ledger), await fileOf(ledger, 'may.csv'), [
        { user: 'cy@x.example' },
      ]);
      expect(await idsOf(ledger, 'cy@')).toEqual([]);
    });

    it('finds contents, files, and rows without a record by a cell', async () => {
      const { ledger, march, april } = await delivered();
      expect((await search(ledger, 'c-')).contents.map(({ id }) => id)).toEqual(['C-1', 'C-2', 'C-3']);
      expect((await search(ledger, 'RIL')).files).toMatchObject([{ drop: april, file: 'april.csv' }]);
      // The cells of line 4, which a record's row has as well.
      const { rows } = await search(ledger, 'row 2');
      expect(rows).toMatchObject({
        count: 1,
        first: [{ standing: 'invalid', row: { dropId: march, line: 4 } }],
      });
    });

    it('finds a row by the whole id of the platform’s error, and by no part of it', async () => {
      const { ledger, march } = await delivered();
      expect((await search(ledger, 'err-4711')).refused).toMatchObject([
        { standing: 'rejected', row: { dropId: march, line: 3 } },
      ]);
      expect((await search(ledger, 'err-')).refused).toEqual([]);
    });
  });

  describe('a person’s rows', () => {
    it('are all of them, those that need attention first and then the latest, a page at a time', async () => {
      const { ledger, march, april } = await delivered();
      const june = await publishedDrop(ledger, 'june.csv', [{ ...invalidRow(2) }]);
      const learners = [learner(ledger, ANNA), learner(ledger, 'row 0')];
      const found = await personRows(ledger, learners, PAGE);
      expect(found.counts).toEqual({ accepted: 1, waiting: 1, invalid: 1 });
      const places = found.rows.map(({ row, standing }) => [row.dropId, standing]);
      expect(places).toEqual([
        [june, 'invalid'],
        [april, 'waiting'],
        [march, 'accepted'],
      ]);
      const second = await personRows(ledger, learners, { from: 1, count: 1 });
      expect(second.counts).toEqual(found.counts);
      expect(second.rows.map(({ row }) => row.dropId)).toEqual([april]);
    });

    it('are none for an identifier that no file has had', async () => {
      const { ledger } = await delivered();
      const found = await personRows(ledger, [learner(ledger, 'zoe@x.example')], PAGE);
      expect(found).toMatchObject({ counts: {}, rows: [], corrections: [], unsearched: 0 });
    });
  });
});
