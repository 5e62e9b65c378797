import { describe, expect, it } from 'vitest';
import { arrivedFiles } from '../../src/ledger/drops/arrived-files.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { publishedDrops } from '../../src/ledger/drops/published-drops.js';
import { ENGINES } from './engines.js';
import { fileOf, stagedDrop, stageLease } from './staged-drop.js';
import { leaseUnderWay } from './under-way.js';

const WEEK_MS = 7 * 86_400_000;

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a file is watched for a week after its last arrival', async () => {
    const { ledger, clock } = await open();
    const { held, end } = await leaseUnderWay(ledger, 'stage');
    const [lease] = held.leases;
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [{}]);
    expect([...(await arrivedFiles(ledger)).keys()]).toEqual([]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    await end();
    expect([...(await arrivedFiles(ledger)).keys()]).toEqual([dropId]);
    await clock.setWall(clock.nowMs() + WEEK_MS + 1_000);
    await fileOf(ledger, 'later.csv');
    expect([...(await arrivedFiles(ledger)).keys()]).toEqual([]);
  });

  it('a drop is found by its number and by its file’s name as soon as it is published, and not before', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const file = await fileOf(ledger, 'a.csv');
    const dropId = await stagedDrop(ledger, lease, file, [{}]);
    expect(await publishedDrops(ledger, dropId)).toEqual([]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    for (const named of [dropId, String(dropId), 'a.csv', { sha256: file.identity.sha256 }]) {
      expect(await publishedDrops(ledger, named)).toMatchObject([{ dropId, sha256: file.identity.sha256 }]);
    }
  });
});
