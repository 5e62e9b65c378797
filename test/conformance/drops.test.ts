import { describe, expect, it } from 'vitest';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import { withdrawDrop } from '../../src/ledger/drops/discard-rows.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { recordArrival } from '../../src/ledger/drops/record-arrival.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { stageSmallDrop } from '../../src/ledger/submissions/staging/stage-small-drop.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { preparedCompletion } from '../support/prepared-completion.js';
import { ENGINES } from './engines.js';
import { PLAN, stageRows } from './stage-rows.js';
import { fileOf, stagedDrop, stageLease } from './staged-drop.js';
import { leaseUnderWay } from './under-way.js';

const rows = [{ content: 'C-1' }, { content: 'C-2' }];

describe.each(ENGINES)('on $name', ({ open }) => {
  describe('the bytes of an arriving file', () => {
    it('are new until they are published, and a repeat from then on', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const file = await fileOf(ledger, 'a.csv');
      expect(await recordArrival(ledger, file)).toEqual({ kind: 'new', begunUnder: null });
      const dropId = await stagedDrop(ledger, lease, file, rows);
      expect(await recordArrival(ledger, file)).toEqual({ kind: 'new', begunUnder: 'digest-1' });
      await publishDrop(ledger, lease, dropId, { rowsRead: 2 });
      expect(await recordArrival(ledger, file)).toEqual({ kind: 'repeated', dropId });
      expect(await recordArrival(ledger, { ...file, source: 'another' })).toMatchObject({ kind: 'new' });
    });

    it('came in once where the run that left their file had recorded that', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const file = await fileOf(ledger, 'a.csv');
      const dropId = await stagedDrop(ledger, lease, file, rows);
      await publishDrop(ledger, lease, dropId, { rowsRead: 2 });
      const again = { ...(await fileOf(ledger, 'a.csv')), isResumed: true };
      expect(await recordArrival(ledger, again)).toMatchObject({ kind: 'resumed', dropId });
    });
  });

  describe('a drop that a crash left half staged', () => {
    it('is resumed under the same settings, after its last line', async () => {
      const { ledger } = await open();
      const file = await fileOf(ledger, 'a.csv');
      const dropId = await stagedDrop(ledger, await stageLease(ledger), file, rows);
      expect(await beginDrop(ledger, file, PLAN)).toMatchObject({ dropId, stagedLine: 3 });
    });

    it.each([
      ['under other settings', { ...PLAN, settings: 'digest-2' }, undefined],
      ['from the first row, where that is requested', PLAN, 'first-row' as const],
    ])('starts again %s', async (_, plan, from) => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const file = await fileOf(ledger, 'a.csv');
      const dropId = await stagedDrop(ledger, lease, file, rows);
      expect(await beginDrop(ledger, file, plan, from)).toEqual({ dropId, stagedLine: 0 });
      const published = await publishDrop(ledger, lease, dropId, { rowsRead: 0 });
      expect(published).toMatchObject({ dispositions: { staged: 0, duplicate: 0 } });
    });

    it('is the only one of its source, and is reported until it is published or withdrawn', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const file = await fileOf(ledger, 'a.csv');
      const dropId = await stagedDrop(ledger, lease, file, rows);
      const { source, identity } = file;
      const drop = { dropId, source, sha256: identity.sha256 };
      expect((await readState(ledger, ['work'])).work).toMatchObject({ staging: [drop], decisions: [] });
      await expect(beginDrop(ledger, await fileOf(ledger, 'b.csv'), PLAN)).rejects.toThrow();
      await withdrawDrop(ledger, lease, file.source, file.runId);
      expect((await readState(ledger, ['work'])).work.staging).toEqual([]);
      expect(await recordArrival(ledger, file)).toEqual({ kind: 'new', begunUnder: null });
    });

    it('leaves those of other sources as they are when it is withdrawn', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const file = await fileOf(ledger, 'a.csv');
      const dropId = await stagedDrop(ledger, lease, file, rows);
      const other = { ...(await fileOf(ledger, 'b.csv')), source: 'sales' };
      const ofOther = await stagedDrop(ledger, lease, other, [{ content: 'C-3' }]);
      expect((await readState(ledger, ['work'])).work.staging.map((drop) => drop.dropId)).toEqual([
        dropId,
        ofOther,
      ]);
      await withdrawDrop(ledger, lease, file.source, file.runId);
      expect((await readState(ledger, ['work'])).work.staging).toMatchObject([{ source: 'sales' }]);
      expect(await beginDrop(ledger, other, PLAN)).toMatchObject({ dropId: ofOther, stagedLine: 2 });
    });
  });

  describe('a small drop', () => {
    const small = (ledger: Ledger, contents: readonly string[]) =>
      contents.map((content, index) => ({
        row: preparedCompletion(ledger, { content }, index + 2),
        cells: JSON.stringify([content]),
        strayQuotes: null,
      }));
    const described = async (ledger: Ledger) => ({
      operation: submitCompletion,
      environment: 'main',
      sendAmendments: false,
      drop: await fileOf(ledger, 'a.csv'),
      plan: PLAN,
      sameKey: 'ask' as const,
    });

    it('is begun, staged and published at once', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const drop = await described(ledger);
      const read = { rows: small(ledger, ['C-1', 'C-2', 'C-1']), rowsRead: 3, hiddenRows: 0 };
      const dispositions = { staged: 2, duplicate: 1 };
      expect(await stageSmallDrop(ledger, lease, drop, read)).toMatchObject({
        kind: 'published',
        dispositions,
      });
      expect(await recordArrival(ledger, drop.drop)).toMatchObject({ kind: 'repeated' });
      expect((await readState(ledger, ['work'])).work.staging).toEqual([]);
    });

    it('stays half staged where it has another number of rows than its source expects', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const drop = { ...(await described(ledger)), expected: { min: 2 } };
      const read = { rows: small(ledger, ['C-1']), rowsRead: 1, hiddenRows: 0 };
      const staged = await stageSmallDrop(ledger, lease, drop, read);
      expect(staged).toMatchObject({ kind: 'staged', rowsRead: 1 });
      expect((await readState(ledger, ['work'])).work.staging).toHaveLength(1);
    });

    it('leaves nothing for a process that has lost the stage lease', async () => {
      const { ledger } = await open();
      const { held, end } = await leaseUnderWay(ledger, 'stage');
      await end();
      const drop = await described(ledger);
      const read = { rows: small(ledger, ['C-1']), rowsRead: 1, hiddenRows: 0 };
      expect(await stageSmallDrop(ledger, held.leases[0], drop, read)).toEqual({ kind: 'interrupted' });
      expect(await recordArrival(ledger, drop.drop)).toEqual({ kind: 'new', begunUnder: null });
    });
  });

  it('a batch of rows is written for the holder of the stage lease alone', async () => {
    const { ledger } = await open();
    const { held, end } = await leaseUnderWay(ledger, 'stage');
    const [lost] = held.leases;
    const dropId = await stagedDrop(ledger, lost, await fileOf(ledger, 'a.csv'), rows);
    await end();
    const lease = await stageLease(ledger);
    const batch = {
      rows: [preparedCompletion(ledger, { content: 'C-3' }, 4)],
      cells: [{ line: 4, cells: ['c'] }],
    };
    expect(await stageRows(ledger, lost, { dropId }, batch)).toBeNull();
    expect(await stageRows(ledger, lease, { dropId }, batch)).toMatchObject({ isShared: false });
    const published = await publishDrop(ledger, lease, dropId, { rowsRead: 3 });
    expect(published).toMatchObject({ dispositions: { staged: 3 } });
  });

  describe('publishing', () => {
    it('counts all rows at once, and changes nothing when repeated', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), rows);
      const published = await publishDrop(ledger, lease, dropId, { rowsRead: 2 });
      expect(published).toMatchObject({ kind: 'published', dropId, dispositions: { staged: 2 } });
      expect(await publishDrop(ledger, lease, dropId, { rowsRead: 7 })).toEqual(published);
    });

    it('does nothing for a process that has lost the lease', async () => {
      const { ledger } = await open();
      const { held, end } = await leaseUnderWay(ledger, 'stage');
      const [lease] = held.leases;
      const file = await fileOf(ledger, 'a.csv');
      const dropId = await stagedDrop(ledger, lease, file, rows);
      await end();
      const other = await stageLease(ledger);
      expect(await publishDrop(ledger, lease, dropId, { rowsRead: 2 })).toEqual({ kind: 'overtaken' });
      await withdrawDrop(ledger, lease, file.source, file.runId);
      expect((await readState(ledger, ['work'])).work.staging).toMatchObject([{ dropId }]);
      expect(await publishDrop(ledger, other, dropId, { rowsRead: 2 })).toMatchObject({ kind: 'published' });
    });

    it('fails for fewer rows than expected', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), rows);
      const expected = { min: 3 };
      const read = { rowsRead: 2 };
      expect(await publishDrop(ledger, lease, dropId, read, expected)).toEqual({
        kind: 'different',
        expected,
        read: 2,
      });
      expect((await readState(ledger, ['work'])).work.staging).toMatchObject([{ dropId }]);
      expect(await publishDrop(ledger, lease, dropId, read, { min: 2 })).toMatchObject({
        kind: 'published',
      });
    });
  });

  describe('a refused file', () => {
    it('loses its staged rows, keeps its number, and can come in later', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const file = await fileOf(ledger, 'a.csv');
      const dropId = await stagedDrop(ledger, lease, file, rows);
      expect(
        await refuseDrop(ledger, { ...file, format: 'csv' }, { code: 'drop-unreadable', text: 'It is cut.' }),
      ).toBe(dropId);
      expect((await readState(ledger, ['work'])).work.staging).toEqual([]);
      expect(await recordArrival(ledger, file)).toEqual({ kind: 'new', begunUnder: null });
      expect(await beginDrop(ledger, file, PLAN)).toEqual({ dropId, stagedLine: 0 });
    });
  });
});
