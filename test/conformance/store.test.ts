import { describe, expect, it } from 'vitest';
import { ledgerHealth } from '../../src/ledger/books/balance/ledger-health.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { prepareRestored } from '../../src/ledger/decisions/after-restore.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { databaseFacts, ledgerName } from '../../src/ledger/store/ledger-facts.js';
import { unknownDrops } from '../../src/ledger/store/ledger-mark.js';
import { disconnect } from '../../src/ledger/store/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { canWrite } from '../../src/ledger/store/sqlite/file-health.js';
import { decider } from '../support/decider.js';
import { ENGINES } from './engines.js';
import { publishedDrop } from './staged-drop.js';

const versionsOf = async (ledger: Ledger) => (await readState(ledger, ['versions'])).versions;

const rows = [{ user: 'a@x.example' }, { user: 'b@x.example' }];

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a sound ledger has no damage, and its content is checked on request', async () => {
    const { ledger } = await open();
    await publishedDrop(ledger, 'a.csv', rows);
    const sound = { fault: null, imbalances: [] };
    expect(await ledgerHealth(ledger, 'full')).toMatchObject({ ...sound, damaged: null });
    expect(await ledgerHealth(ledger, 'deep')).toMatchObject({ ...sound, damaged: { count: 0, first: [] } });
  });

  it('each connection gives the same versions of the library and of the schema', async () => {
    const { ledger, connect } = await open();
    const versions = await versionsOf(ledger);
    expect(Object.values(versions)).toEqual(Object.values(versions).map(() => expect.stringMatching(/./)));
    expect(versions.schema).toMatch(/^\d{4}-/);
    expect(await versionsOf(await connect())).toEqual(versions);
  });

  it('accepts writes while no other process writes, and has a name for people', async () => {
    const { ledger } = await open();
    expect(await canWrite(ledger, 1_000)).toBe(true);
    expect(ledgerName(ledger)).toMatch(/registrar\.db$|database/);
  });

  it('has the facts of the server, where it is a database', async () => {
    const { ledger } = await open();
    const facts = await databaseFacts(ledger);
    if (ledger.file !== null) expect(facts).toBeNull();
    else {
      expect(facts).toMatchObject({ encoding: 'UTF8', isPrivate: true, mayRewrite: false });
      expect(Number.parseInt(facts?.version ?? '', 10)).toBeGreaterThanOrEqual(15);
    }
  });

  it('answers nothing once its connections are closed', async () => {
    const ledger = await (await open()).connect();
    expect((await versionsOf(ledger)).schema).toMatch(/^\d{4}-/);
    await disconnect(ledger);
    await expect(versionsOf(ledger)).rejects.toThrow();
  });

  it('the number of a file in archive/ is unknown where no published drop has it', async () => {
    const { ledger } = await open();
    const dropId = await publishedDrop(ledger, 'a.csv', rows);
    expect(await unknownDrops(ledger, [dropId, dropId + 1])).toEqual([dropId + 1]);
  });

  it('a ledger that replaces an unreadable one sends no waiting row, until a person has finished the restore', async () => {
    const { ledger } = await open();
    const dropId = await publishedDrop(ledger, 'a.csv', rows);
    const who = decider('ada');
    const after = await prepareRestored(ledger, null, {
      who,
      because: 'a disk broke',
      foreignDropMax: dropId + 5,
    });
    expect(after).toMatchObject({ held: 2, doubted: 0 });
    // Files up to there may be the other ledger's.
    expect(await unknownDrops(ledger, [dropId + 5, dropId + 6])).toEqual([dropId + 6]);
    const { decisions, restoredAt } = (await readState(ledger, ['work'])).work;
    expect([decisions.map(({ kind }) => kind), restoredAt]).toEqual([['restore'], decisions[0]?.madeAt]);
    const restores = decisions.map(({ decisionId }) => decisionId);
    const finished = { kind: 'finish-restores' as const, restores, who, because: 'gone through' };
    expect(await openDecision(ledger, finished)).toMatchObject({ kind: 'confirm', selection: { restores } });
    expect((await readState(ledger, ['work'])).work).toMatchObject({ decisions: [], restoredAt: null });
  });
});
