import { describe, expect, it } from 'vitest';
import { checkDisk, roomFinding } from '../../../src/actions/doctor/check-disk.js';
import { workspacePaths } from '../../../src/workspace/folders.js';
import { tempFolder } from '../../support/temp-folder.js';

const MB = 1_000_000;

const room = (freeMb: number, ledgerMb: number) =>
  roomFinding('/srv/registrar', { freeBytes: freeMb * MB, ledgerBytes: ledgerMb * MB });

describe('the room on the disk', () => {
  it.each<[string, number, number, string, RegExp]>([
    ['before the first run', 5_000, 0, 'ok', /^$/],
    ['under the log of a transaction', 99, 0, 'broken', /before the next run: 100 MB/],
    ['just above it', 100, 0, 'attention', /1000 MB are enough for a large file/],
    ['for a large file', 1_000, 1, 'ok', /^$/],
    ['under two copies of the ledger', 3_999, 2_000, 'attention', /4000 MB are enough for a purge/],
    ['for two copies', 4_000, 2_000, 'ok', /^$/],
    ['under one copy', 1_500, 2_000, 'attention', /a purge/],
  ])('%s', (_, freeMb, ledgerMb, verdict, remedy) => {
    const found = room(freeMb, ledgerMb);
    expect([found.check, found.subject, found.verdict]).toEqual(['disk', '/srv/registrar', verdict]);
    expect(found.remedy).toMatch(remedy);
  });

  it('is told in figures', () => {
    expect(room(5_000.9, 2_000).message).toBe('5000 MB are free; the ledger takes 2000 MB');
    expect(room(5_000, 0.2).message).toBe('5000 MB are free; the ledger takes 1 MB');
    expect(room(5_000, 0).message).toBe('5000 MB are free');
  });

  it('is that of the disk the workspace is on', async () => {
    const paths = workspacePaths(tempFolder());
    expect(await checkDisk(paths)).toMatchObject({
      check: 'disk',
      subject: paths.root,
      message: expect.stringMatching(/^\d+ MB are free$/),
    });
  });
});
