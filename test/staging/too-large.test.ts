import { truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { requireAllowedSize } from '../../src/staging/open-file.js';
import { csvOf, exportRows } from '../support/exports.js';
import { writeDrop } from '../support/open-content.js';
import { testLedger } from '../support/staged-ledger.js';
import { dispositionsOf, sourceOf, stageContent, stagePath } from './staging-bench.js';

it('a file larger than its source takes is refused with its size and the remedy', async () => {
  const ledger = testLedger(systemClock());
  const content = csvOf(exportRows(100));
  const result = await stageContent(ledger, content, { source: sourceOf({ largestFile: '5kB' }) });
  expect(result).toMatchObject({
    kind: 'refused',
    sentence: expect.stringMatching(
      /^the file has [\d.]+ kB; the limit of its source is 5 kB\. .*raise largestFile for the source/,
    ),
  });
  const allowed = await stageContent(ledger, content, { source: sourceOf({ largestFile: '1MB' }) });
  expect(dispositionsOf(allowed)).toMatchObject({ staged: 100 });
});

it('a terabyte of nothing is refused without being read', async () => {
  const path = writeDrop(csvOf(exportRows(3)));
  truncateSync(path, 1e12);
  const before = process.cpuUsage();
  const [result] = await stagePath(testLedger(systemClock()), path);
  expect(result).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining('the file has 1000 GB'),
  });
  // To hash all of it would take half an hour.
  expect(process.cpuUsage(before).user).toBeLessThan(60e6);
});

it('a file is as large as its source takes, or is not', () => {
  const path = writeDrop('x'.repeat(1_000));
  expect(() => requireAllowedSize(path, { largestFileBytes: 1_000 })).not.toThrow();
  expect(() => requireAllowedSize(path, { largestFileBytes: 999 })).toThrow('the file has 1 kB');
});
