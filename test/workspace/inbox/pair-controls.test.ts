import { expect, it } from 'vitest';
import { sourceSchema } from '../../../src/config/schema/source-schema.js';
import type { InboxFile } from '../../../src/workspace/inbox/list-inbox.js';
import { pairControls } from '../../../src/workspace/inbox/pair-controls.js';

const { control } = sourceSchema.parse({
  name: 'academy',
  operation: 'submit-completion',
  environment: 'main',
  control: { file: '{name}.done' },
});

function inboxFile(name: string): InboxFile {
  const path = `/inbox/${name}`;
  return {
    source: 'academy',
    name,
    path,
    sizeBytes: 1,
    mtimeMs: 0,
    ctimeMs: 0,
    names: 1,
    device: 1,
    inode: 1,
  };
}

it('each drop is paired with its control file, whatever the case of the names', () => {
  const files = ['a.csv', 'B.csv', 'A.CSV.done', 'b.csv.DONE', 'c.csv'].map(inboxFile);
  const { ready, waiting } = pairControls(files, control, 0);
  expect(ready.map((pair) => [pair.file.name, pair.control?.name])).toEqual([
    ['a.csv', 'A.CSV.done'],
    ['B.csv', 'b.csv.DONE'],
  ]);
  expect(waiting.map(({ name }) => name)).toEqual(['c.csv']);
});

it('four times as many files take about four times as long to pair', () => {
  const costOf = (count: number) => {
    const files = Array.from({ length: count }, (_, n) => [`${n}.csv`, `${n}.csv.done`])
      .flat()
      .map(inboxFile);
    const cpu = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      expect(pairControls(files, control, 0).ready).toHaveLength(count);
      return process.cpuUsage(before).user;
    });
    return Math.min(...cpu);
  };
  // Sixteen times where each looks through all the others.
  expect(costOf(12_000)).toBeLessThan(10 * costOf(3_000) + 20_000);
});
