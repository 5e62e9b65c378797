import { describe, expect, it } from 'vitest';
import { checkDisk, roomFinding } from '../../../src/actions/doctor/check-disk.js';
import { isoFromMs, systemClock } from '../../../src/domain/clock.js';
import { workspacePaths } from '../../../src/workspace/folders.js';
import { tempFolder } from '../../support/temp-folder.js';

const MB = 1_000_000;

const room = (freeMb: number, ledgerMb: number, ageDays: number | null) =>
  roomFinding('/srv/registrar', { freeBytes: freeMb * MB, ledgerBytes: ledgerMb * MB, ageDays });

describe('the room on the disk', () => {
  it.each<[string, number, number, number | null, string, RegExp]>([
    ['before the first run', 5_000, 0, null, 'ok', /^$/],
    ['under the log of a transaction', 99, 0, null, 'broken', /before the next run: 100 MB/],
    ['just above it', 100, 0, null, 'attention', /1000 MB are enough for a large file/],
    ['for a large file', 1_000, 1, 100, 'ok', /^$/],
    ['under two copies of an old ledger', 3_999, 2_000, 1_000, 'attention', /4000 MB are enough for a purge/],
    ['for two copies', 4_000, 2_000, 1_000, 'ok', /^$/],
    [
      'under a month of growth',
      5_999,
      2_000,
      10,
      'attention',
      /6000 MB are enough for what the ledger grows/,
    ],
    ['for a month of growth', 6_000, 2_000, 10, 'ok', /^$/],
    ['under one copy', 1_500, 2_000, 1_000, 'attention', /a purge/],
    ['beside a ledger whose age nobody knows', 3_000, 2_000, null, 'attention', /a purge/],
    ['beside a ledger that was filled an hour ago', 8_571, 2_000, 0.04, 'attention', /8572 MB/],
    ['beside one whose first run lies ahead', 8_572, 2_000, -3, 'ok', /^$/],
  ])('%s', (_, freeMb, ledgerMb, ageDays, verdict, remedy) => {
    const found = room(freeMb, ledgerMb, ageDays);
    expect([found.check, found.subject, found.verdict]).toEqual(['disk', '/srv/registrar', verdict]);
    expect(found.remedy).toMatch(remedy);
  });

  it('is told in figures', () => {
    expect(room(5_000.9, 2_000, 10).message).toBe(
      '5000 MB are free; the ledger takes 2000 MB and grows by 6000 MB in 30 days',
    );
    expect(room(5_000, 0.2, 90).message).toBe(
      '5000 MB are free; the ledger takes 1 MB and grows by 1 MB in 30 days',
    );
    expect(room(5_000, 2, 0.9).message).toBe('5000 MB are free; the ledger takes 2 MB');
    expect(room(5_000, 2_000, null).message).toBe('5000 MB are free; the ledger takes 2000 MB');
    expect(room(5_000, 0, null).message).toBe('5000 MB are free');
  });

  it('is that of the disk the workspace is on', async () => {
    const clock = systemClock();
    const paths = workspacePaths(tempFolder());
    expect(await checkDisk(paths, clock, isoFromMs(clock.nowMs()))).toMatchObject({
      check: 'disk',
      subject: paths.root,
      message: expect.stringMatching(/^\d+ MB are free$/),
    });
  });
});
