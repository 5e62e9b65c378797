import { describe, expect, it } from 'vitest';
import { collected } from '../../src/domain/process/series.js';
import { acceptedRows } from '../../src/ledger/books/rows/listed-rows.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { withdrawDrop } from '../../src/ledger/drops/discard-rows.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import { recordResult } from '../../src/ledger/drops/results.js';
import { withSnapshot } from '../../src/ledger/store/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ENGINES } from './engines.js';
import { fileOf, publishedDrop, stage, stagedDrop, stageLease } from './staged-drop.js';

const ROW = { user: 'ada@x.example' };

const openResults = async (ledger: Ledger) => (await readState(ledger, ['results'])).results;

/** A file whose source has a target for results. */
const senders = async (ledger: Ledger, name: string) => ({
  ...(await fileOf(ledger, name)),
  hasResult: true,
});

const refused = async (ledger: Ledger, name: string) =>
  refuseDrop(
    ledger,
    { ...(await senders(ledger, name)), format: 'csv' },
    { code: 'drop-unreadable', text: 'It is cut.' },
  );

const RETRY_AT = '2031-01-01T00:00:00.000Z';

describe.each(ENGINES)('the results of files on $name', ({ open }) => {
  it('are expected of each file whose source has a target for them, once it is imported or refused', async () => {
    const { ledger } = await open();
    await publishedDrop(ledger, 'silent.csv', [ROW]);
    const empty = await publishedDrop(ledger, await senders(ledger, 'empty.csv'), []);
    const cut = await refused(ledger, 'cut.csv');
    const lease = await stageLease(ledger);
    await stagedDrop(ledger, lease, await senders(ledger, 'half.csv'), [ROW]);
    expect(await openResults(ledger)).toMatchObject([
      {
        drop: empty,
        file: 'empty.csv',
        isMoving: false,
        publishedAt: expect.any(String),
        tries: 0,
        error: null,
      },
      { drop: cut, file: 'cut.csv', isMoving: false, publishedAt: null, tries: 0, error: null },
    ]);
  });

  it('show that rows of the file wait to be sent', async () => {
    const { ledger } = await open();
    await publishedDrop(ledger, await senders(ledger, 'march.csv'), [ROW]);
    expect(await openResults(ledger)).toMatchObject([{ isMoving: true }]);
  });

  it('are no longer expected once delivered, until a refused file comes again', async () => {
    const { ledger, clock } = await open();
    const drop = await refused(ledger, 'cut.csv');
    const [first] = await openResults(ledger);
    const dueAt = first?.dueAt ?? '';
    await recordResult(ledger, [drop], { kind: 'delivered', dueAt });
    await recordResult(ledger, [drop], { kind: 'delivered', dueAt });
    expect(await openResults(ledger)).toEqual([]);
    await clock.pass(1_000);
    await refused(ledger, 'cut.csv');
    // A process that is late has delivered the former one.
    await recordResult(ledger, [drop], { kind: 'delivered', dueAt });
    expect(await openResults(ledger)).toMatchObject([{ drop, tries: 0 }]);
  });

  it('keep since when they fail, how often, and why last; those that were not tried keep their tries', async () => {
    const { ledger, clock } = await open();
    const tried = await refused(ledger, 'a.csv');
    const other = await refused(ledger, 'b.csv');
    const fail = async (error: string) => {
      await recordResult(ledger, [tried], { kind: 'failed', error, retryAt: RETRY_AT });
      await recordResult(ledger, [other], { kind: 'postponed', error, retryAt: RETRY_AT });
    };
    await fail('it is away');
    const since = (await openResults(ledger)).map(({ failedAt }) => failedAt);
    await clock.pass(60_000);
    await fail('it is full');
    expect(await openResults(ledger)).toMatchObject([
      { drop: tried, failedAt: since[0], tries: 2, error: 'it is full', dueAt: RETRY_AT },
      { drop: other, failedAt: since[1], tries: 0, error: 'it is full', dueAt: RETRY_AT },
    ]);
  });

  it('go with a drop that is withdrawn', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    await stagedDrop(ledger, lease, await senders(ledger, 'half.csv'), [ROW]);
    await withdrawDrop(ledger, lease, null, null);
    expect(await openResults(ledger)).toEqual([]);
  });
});

describe.each(ENGINES)('a snapshot on $name', ({ open }) => {
  it('is unchanged while others write, and makes none of them wait', async () => {
    const { ledger } = await open();
    const { dropId } = await stage(ledger, [ROW]);
    const waiting = async (of: Ledger) => (await readState(of, ['work'])).work.waiting;
    await withSnapshot(ledger, async (snapshot) => {
      expect(await waiting(snapshot)).toEqual(['main']);
      await stage(ledger, [{ user: 'bob@x.example' }], { environment: 'second' });
      expect(await waiting(snapshot)).toEqual(['main']);
      expect(await collected(acceptedRows(snapshot, dropId))).toEqual([]);
    });
    expect(await waiting(ledger)).toEqual(['main', 'second']);
  });
});
