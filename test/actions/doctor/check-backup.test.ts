import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkBackup, testFindings } from '../../../src/actions/doctor/check-backup.js';
import { isoFromMs, msFromIso, systemClock } from '../../../src/domain/clock.js';
import { BACKUP_TEST_FILE, type BackupTest } from '../../../src/workspace/backup-test.js';
import { workspacePaths } from '../../../src/workspace/folders.js';
import { tempFolder } from '../../support/temp-folder.js';

const NOW = msFromIso('2027-03-02T10:30:00.000Z');
const DAY_MS = 86_400_000;

const daysAgo = (days: number) => isoFromMs(NOW - days * DAY_MS);

const tested = (days: number, fault: string | null = null): BackupTest => ({
  file: '/backup/kept.db',
  sha256: 'ab'.repeat(32),
  testedAt: daysAgo(days),
  version: '0.1.0',
  fault,
});

it.each<[string, BackupTest | null, string | null, string[]]>([
  ['nothing before the first run', null, null, []],
  ['that there was none yet', null, daysAgo(30), ['ok all: no backup of this ledger was restored']],
  ['that there was none for long', null, daysAgo(31), ['attention all: no backup of this ledger']],
  ['when it was', tested(183), null, ['ok /backup/kept.db: was last restored for a test at 2026-08-31T']],
  ['that it was long ago', tested(184), daysAgo(9), ['attention /backup/kept.db: was last restored']],
  ['that it failed', tested(1, 'it is torn'), null, ['attention /backup/kept.db: failed when it was']],
])('of the test of a backup doctor says %s', (_, test, firstRunAt, expected) => {
  const found = [...testFindings(test, NOW, firstRunAt)];
  const said = found.map(({ verdict, subject, message }) => `${verdict} ${subject}: ${message}`);
  expect(said).toEqual(expected.map((start) => expect.stringContaining(start)));
  for (const { verdict, remedy } of found) {
    expect(remedy).toMatch(verdict === 'ok' ? /^$/ : /registrar backup FILE --verify/);
  }
});

it.each([
  '',
  '{',
  'null',
  '{"file": 1}',
  '[]',
  '{"file":"a","sha256":"b","testedAt":"c","version":"d","fault":null}',
])('a note of a test that holds %j wants attention, with what to do', (text) => {
  const paths = workspacePaths(tempFolder());
  writeFileSync(join(paths.root, BACKUP_TEST_FILE), text);
  expect([...checkBackup(paths, systemClock(), null)]).toMatchObject([
    {
      verdict: 'attention',
      message: expect.stringMatching(/is damaged$/),
      remedy: expect.stringContaining('Delete it'),
    },
  ]);
});
