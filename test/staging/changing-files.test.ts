import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { keptRows } from '../../src/ledger/drops/rows/kept-rows.js';
import { csvOf, exportRows } from '../support/exports.js';
import { type IntakeBench, intakeBench } from '../support/intake-bench.js';

const WHOLE = csvOf(exportRows(100));
/** In the middle of a row. */
const HALF = WHOLE.slice(0, WHOLE.indexOf('learner50@') + 4);
const REST = WHOLE.slice(HALF.length);

/** A sender that keeps its file open. */
function opened(path: string, flags = 'a') {
  const file = openSync(path, flags);
  onTestFinished(() => closeSync(file));
  return { write: (text: string) => void writeSync(file, text) };
}

/** The learners of the first hundred that the ledger has a submission for. */
async function known({ ledger }: IntakeBench): Promise<number> {
  const learners = new Set<unknown>();
  for (const { drop: dropId } of (await readBooks(ledger, {})).files) {
    for await (const { cells } of keptRows(ledger, dropId)) {
      if (String(cells[0]).includes('@')) learners.add(cells[0]);
    }
  }
  return learners.size;
}

describe('a file that changes after it was looked at', () => {
  it.each([
    ['is written anew', (path: string) => writeFileSync(path, HALF)],
    ['grows', (path: string) => opened(path).write(REST)],
    ['is touched', (path: string) => utimesSync(path, 1e9, 1e9)],
  ])('waits for the next run, which says so, when it %s before its turn', async (_, change) => {
    const bench = await intakeBench();
    utimesSync(bench.drop('a.csv', csvOf(exportRows(3, 5_000))), 1e9, 1e9);
    const path = bench.drop('b.csv', HALF);
    const logged: unknown[] = [];
    const result = await bench.run((event) => {
      if (event.kind === 'drop') change(path);
      if (event.kind === 'left') logged.push(event.file);
    });
    expect(result.exit).toBe('attention');
    expect(logged).toEqual(['b.csv']);
    expect(result.report.unmatched).toMatchObject([{ path: 'inbox/academy/b.csv', code: 'changing' }]);
    expect(bench.files('archive')).toEqual(['1-a.csv']);
  });

  it('waits for the next run without alarm when another file has replaced it', async () => {
    const bench = await intakeBench();
    utimesSync(bench.drop('a.csv', csvOf(exportRows(3, 5_000))), 1e9, 1e9);
    bench.drop('b.csv', HALF);
    let once = true;
    const first = await bench.run(({ kind }) => {
      if (kind === 'drop' && once) bench.drop('b.csv', WHOLE);
      once = false;
    });
    expect(first).toMatchObject({ exit: 'done', report: { unmatched: [] } });
    await bench.run();
    expect(await bench.staged()).toBe(103);
  });

  it('counts for nothing when it grows while its rows are read, and comes in whole with the next run', async () => {
    const bench = await intakeBench();
    const path = bench.drop('b.csv', csvOf(exportRows(3_000)));
    const sender = opened(path);
    let once = true;
    const first = await bench.run(({ kind }) => {
      if (kind === 'rows' && once) sender.write(csvOf(exportRows(10, 3_000)).replace(/.*\n/, ''));
      once = kind !== 'rows' && once;
    });
    expect(first).toMatchObject({ exit: 'attention', report: { balanced: true, rows: 0 } });
    expect(first.report.unmatched).toMatchObject([
      { code: 'workspace-changed', path: expect.stringMatching(/^processing\/academy\//), source: 'academy' },
    ]);
    expect(await bench.staged()).toBe(0);

    const second = await bench.run();
    expect(second).toMatchObject({ exit: 'done', report: { balanced: true } });
    expect(await bench.staged()).toBe(3_010);
    expect(second.report.files).toMatchObject([{ state: 'published', file: 'b.csv' }]);
  });

  it('is imported again whole when it grows once its rows count', async () => {
    const bench = await intakeBench();
    const sender = opened(bench.drop('b.csv', HALF));
    const first = await bench.run(({ kind }) => {
      if (kind === 'published') sender.write(REST);
    });
    expect(first).toMatchObject({ exit: 'attention', report: { balanced: true } });
    expect(first.report.unmatched).toMatchObject([
      { code: 'workspace-changed', reason: 'was written to after it was imported' },
    ]);
    expect(first.report.files).toMatchObject([{ changedAt: expect.any(String) }]);
    expect(bench.files('archive')).toEqual([]);

    const second = await bench.run();
    expect(second).toMatchObject({ exit: 'done', report: { balanced: true } });
    expect(await known(bench)).toBe(100);
    expect(readFileSync(join(bench.paths.archive, 'academy', '2-b.csv'), 'utf8')).toBe(WHOLE);
    expect(bench.files('processing')).toEqual([]);
  });

  it.each([
    ['grows', REST],
    ['grows under its old time, as copying programs leave it', REST],
    ['is written anew', null],
  ])('is not lost when it %s in archive/', async (how, more) => {
    const bench = await intakeBench();
    const path = bench.drop('b.csv', HALF);
    const sender = more === null ? null : opened(path);
    expect((await bench.run()).exit).not.toBe('io');
    const archived = join(bench.paths.archive, 'academy', '1-b.csv');
    sender?.write(REST);
    if (how.includes('old time')) utimesSync(archived, 1e9, 1e9);
    if (sender === null) writeFileSync(archived, WHOLE.replaceAll('example.org', 'example.com'));

    const second = await bench.run();
    expect(second).toMatchObject({ exit: 'attention', report: { balanced: true } });
    expect(second.report.unmatched).toMatchObject([
      { code: 'workspace-changed', path: relative(bench.paths.root, archived) },
    ]);
    expect(second.report.files.map(({ drop, changedAt }) => [drop, changedAt !== null])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(await known(bench)).toBeGreaterThanOrEqual(100);
    expect(bench.files('archive')).toEqual(['2-b.csv']);

    expect(await bench.run()).toMatchObject({ exit: 'done', report: { unmatched: [] } });
  });

  it('stays in rejected/ for the person who corrects it', async () => {
    const bench = await intakeBench();
    bench.drop('b.csv', 'Emil,Course ID\nann@example.org,C1\n');
    await bench.run();
    writeFileSync(join(bench.paths.rejected, 'academy', 'b.csv'), WHOLE);
    expect((await bench.run()).report.unmatched).toEqual([]);
    expect(bench.files('rejected')).toEqual(['b.csv', 'b.csv.reason.txt']);
  });

  it('is not lost when the same bytes had come in before it went on growing', async () => {
    const bench = await intakeBench();
    bench.drop('a.csv', HALF);
    await bench.run();
    const sender = opened(bench.drop('b.csv', HALF));
    await bench.run();
    sender.write(REST);
    expect((await bench.run()).exit).toBe('attention');
    expect(await known(bench)).toBe(100);
  });

  it('is not lost when it keeps growing in processing/', async () => {
    const bench = await intakeBench();
    const sender = opened(bench.drop('b.csv', HALF));
    await bench.run();
    sender.write('x');
    const growing = setInterval(() => sender.write('x'), 20);
    onTestFinished(() => clearInterval(growing));
    expect((await bench.run()).report.balanced).toBe(true);
    clearInterval(growing);
    sender.write(`\n${WHOLE.replace(/.*\n/, '')}`);
    await bench.run();
    expect(await known(bench)).toBeGreaterThanOrEqual(100);
  });

  it('of an earlier ledger, with the number of a drop, is left in archive/', async () => {
    const bench = await intakeBench();
    const folder = join(bench.paths.archive, 'academy');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '1-other.csv'), csvOf(exportRows(90, 5_000)));
    await new Promise((rested) => setTimeout(rested, 50));
    bench.drop('b.csv', HALF);
    await bench.run();
    expect(await bench.run()).toMatchObject({ exit: 'done', report: { unmatched: [] } });
    expect(bench.files('archive')).toEqual(['1-b.csv', '1-other.csv']);
  });
});

describe('a file that is removed from processing/', () => {
  it('while its rows are read stops nothing else, and counts for nothing', async () => {
    const bench = await intakeBench();
    utimesSync(bench.drop('a.csv', csvOf(exportRows(3_000))), 1e9, 1e9);
    bench.drop('b.csv', csvOf(exportRows(5, 5_000)));
    bench.drop('c.csv', csvOf(exportRows(5, 6_000)), 'campus');
    let path = '';
    const result = await bench.run((event) => {
      if (event.kind === 'drop') path = event.path;
      if (event.kind === 'rows' && event.file === 'a.csv') rmSync(path, { force: true });
    });
    expect(result).toMatchObject({ exit: 'attention', report: { balanced: true } });
    expect(result.report.unmatched).toMatchObject([{ code: 'workspace-changed' }]);
    expect(await bench.staged()).toBe(10);
  });

  it('before it was read, or once its rows count, is reported as well', async () => {
    const bench = await intakeBench();
    bench.drop('a.csv', csvOf(exportRows(3)));
    const before = await bench.run((event) => {
      if (event.kind === 'drop') rmSync(event.path);
    });
    expect(before.exit).toBe('attention');
    expect(await bench.staged()).toBe(0);

    bench.drop('a.csv', csvOf(exportRows(3)));
    let path = '';
    const after = await bench.run((event) => {
      if (event.kind === 'drop') path = event.path;
      if (event.kind === 'published') renameSync(path, join(bench.paths.root, 'taken'));
    });
    expect(after).toMatchObject({ exit: 'attention', report: { balanced: true } });
    expect(after.report.unmatched?.[0]?.reason).toContain('they count, but archive/ has no copy of it');
    expect(await bench.staged()).toBe(3);
  });
});

describe('a foreign entry in processing/', () => {
  it.each<[string, (path: string, victim: string) => void]>([
    ['a link', (path, victim) => symlinkSync(victim, path)],
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a file of another name', (path) => writeFileSync(join(path, '..', 'other.csv'), WHOLE)],
  ])('stays there and is reported by each run: %s', async (_, make) => {
    const bench = await intakeBench();
    const victim = join(bench.paths.root, 'victim.csv');
    writeFileSync(victim, WHOLE, { mode: 0o644 });
    const folder = join(bench.paths.processing, 'academy');
    mkdirSync(folder, { recursive: true });
    make(join(folder, '0123abcd-a.csv'), victim);
    const before = readdirSync(folder);
    bench.drop('b.csv', csvOf(exportRows(2)));
    for (let count = 0; count < 2; count += 1) {
      const { exit, report } = await bench.run();
      expect([exit, report.unmatched]).toMatchObject([
        'attention',
        [{ code: 'workspace-changed', path: `processing/academy/${before[0]}` }],
      ]);
    }
    expect(readdirSync(folder)).toEqual(before);
    expect(await bench.staged()).toBe(2);
    expect(statSync(victim).mode & 0o777).toBe(0o644);
  });

  it('is reported as well where its source is gone', async () => {
    const bench = await intakeBench();
    const folder = join(bench.paths.processing, 'former');
    mkdirSync(folder);
    writeFileSync(join(folder, '0123abcd-a.csv'), WHOLE);
    expect((await bench.run()).report.unmatched).toMatchObject([
      { code: 'workspace-changed', path: 'processing/former/0123abcd-a.csv' },
    ]);
  });
});
