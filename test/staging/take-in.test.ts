import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/actions/run/run-lifecycle.js';
import type { StageEvent } from '../../src/staging/stage-context.js';
import { csvOf, DEFAULT_COLUMNS, type ExportRow, exportRow, exportRows } from '../support/exports.js';
import { type IntakeBench, intakeBench } from '../support/intake-bench.js';
import { observedSyncs } from '../support/observed-syncs.js';
import { type SheetLine, sheetsOf } from '../support/sheets-of.js';
import { NOBODY } from '../support/users.js';
import { withoutRights } from '../workspace/opened-workspace.js';

const AS_ROOT = { tags: ['root'] };

/** Two files of academy, of which the second comes after the one that is to make trouble, and one of campus. */
async function benchAround(): Promise<IntakeBench & { readonly trouble: string }> {
  const bench = await intakeBench();
  utimesSync(bench.drop('a.csv', csvOf(exportRows(2))), 1e9, 1e9);
  const trouble = bench.drop('b.csv', csvOf(exportRows(2, 100)));
  utimesSync(trouble, 1e9 + 1, 1e9 + 1);
  bench.drop('c.csv', csvOf(exportRows(2, 200)));
  bench.drop('d.csv', csvOf(exportRows(2, 300)), 'campus');
  return { ...bench, trouble };
}

/** All files but the one have come in, and the report names that one. */
async function expectOthersTaken(
  bench: IntakeBench,
  { exit, report, written }: RunResult,
  code: string,
): Promise<void> {
  expect(exit).toBe('attention');
  expect(report).toMatchObject({
    balanced: true,
    rows: 9,
    unmatched: [{ path: 'inbox/academy/b.csv', code }],
  });
  expect(await bench.staged()).toBe(6);
  expect(bench.files('processing')).toEqual([]);
  expect(readdirSync(bench.inbox)).toEqual(['b.csv']);
  expect(written).not.toBeNull();
}

it('the folders that imported files have left are on the disk when the import ends', async () => {
  const bench = await benchAround();
  const synced = await observedSyncs(() => bench.run());
  expect(synced).toContain(bench.inbox);
  expect(synced.lastIndexOf(bench.inbox)).toBeGreaterThan(
    synced.lastIndexOf(join(bench.paths.archive, 'academy')),
  );
});

describe('one file never stops another', () => {
  it.each<[string, (path: string, victim: string) => void]>([
    ['a link', (path, victim) => symlinkSync(victim, path)],
    ['a hard link', (path, victim) => linkSync(victim, path)],
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
  ])('where another user puts %s in its place once it was looked at', async (_, make) => {
    const bench = await benchAround();
    const victim = join(bench.paths.root, 'victim.csv');
    writeFileSync(victim, csvOf(exportRows(2, 900)), { mode: 0o644 });
    let once = true;
    const result = await bench.run(({ kind }) => {
      if (kind !== 'drop' || !once) return;
      once = false;
      rmSync(bench.trouble);
      make(bench.trouble, victim);
    });
    await expectOthersTaken(bench, result, 'no-file');
    expect(statSync(victim).mode & 0o777).toBe(0o644);
  });

  it('where it is another user’s in a sticky folder', AS_ROOT, async () => {
    const bench = await benchAround();
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, bench.paths.root]);
    chownSync(bench.inbox, 0, 0);
    chmodSync(bench.inbox, 0o1777);
    chownSync(bench.trouble, 0, 0);
    await expectOthersTaken(bench, await withoutRights(async () => bench.run()), 'not-movable');
  });

  it('where it may not be read', AS_ROOT, async () => {
    const bench = await benchAround();
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, bench.paths.root]);
    chownSync(bench.trouble, 0, 0);
    chmodSync(bench.trouble, 0o600);
    await expectOthersTaken(bench, await withoutRights(async () => bench.run()), 'unreadable');
  });

  it('where its name is not UTF-8, which the exit code shows', async () => {
    const bench = await benchAround();
    rmSync(bench.trouble);
    writeFileSync(
      Buffer.concat([Buffer.from(`${bench.inbox}/`), Buffer.from([0xff]), Buffer.from('.csv')]),
      'x',
    );
    const { exit, report } = await bench.run();
    expect(exit).toBe('attention');
    expect(report.unmatched).toMatchObject([{ code: 'bad-name' }]);
    expect(await bench.staged()).toBe(6);
  });
});

it('a stopped run leaves the files that it has not begun in their inboxes', async () => {
  const bench = await benchAround();
  const stop = new AbortController();
  const { exit, report } = await bench.run(({ kind }) => kind === 'rows' && stop.abort(), stop.signal);
  expect(exit).toBe('interrupted');
  expect(report.files).toMatchObject([{ file: 'a.csv', state: 'published' }]);
  expect(readdirSync(bench.inbox)).toEqual(['b.csv', 'c.csv']);
  expect(readdirSync(join(bench.paths.root, 'inbox', 'campus'))).toEqual(['d.csv']);
});

describe('a workbook with several sheets', () => {
  const line = (n: number, overrides: Partial<ExportRow> = {}): SheetLine => {
    const { email, course, at, score, status } = exportRow(n, overrides);
    return [email, course, at, score, status];
  };
  const HEADER = Object.values(DEFAULT_COLUMNS);

  /** One such workbook, and a file that comes after it. */
  async function benchWithSheets(second: SheetLine[] = [line(3), line(4)]): Promise<IntakeBench> {
    const bench = await intakeBench({
      sheets: ['Export', 'More'],
      dateOrder: 'day-first',
      scale: '0-100',
      invalid: { from: 2 },
    });
    const content = sheetsOf({ Export: [HEADER, line(1), line(2)], More: second });
    utimesSync(bench.drop('a.xlsx', content), 1e9, 1e9);
    bench.drop('b.csv', csvOf(exportRows(2, 100)));
    return bench;
  }

  /** Acts once, after the rows of the workbook's first sheet are staged. */
  function afterFirstSheet(act: (path: string) => void) {
    let path: string | null = null;
    return (event: StageEvent) => {
      if (event.kind === 'drop' && event.file === 'a.xlsx') path = event.path;
      if (event.kind !== 'rows' || path === null) return;
      act(path);
      path = null;
    };
  }

  it('stays in processing/ when the run is stopped after its first sheet, and the next run imports the rest', async () => {
    const bench = await benchWithSheets();
    const stop = new AbortController();
    const stopped = await bench.run(
      afterFirstSheet(() => stop.abort()),
      stop.signal,
    );
    expect(stopped.exit).toBe('interrupted');
    expect(await bench.staged()).toBe(2);
    expect(bench.files('archive')).toEqual([]);
    expect(bench.files('processing')).toHaveLength(1);
    expect(readdirSync(bench.inbox)).toEqual(['b.csv']);

    expect(await bench.run()).toMatchObject({ exit: 'done', report: { balanced: true } });
    expect(await bench.staged()).toBe(6);
    expect(bench.files('archive')).toEqual(['1-a.xlsx', '3-b.csv']);
    expect(bench.files('processing')).toEqual([]);
  });

  it.each<[string, (path: string) => void]>([
    ['is written anew', (path) => writeFileSync(path, 'no workbook any more')],
    ['is removed', (path) => rmSync(path)],
  ])('is reported with the sheets that count when it %s after its first sheet', async (_, change) => {
    const bench = await benchWithSheets();
    const { exit, report } = await bench.run(afterFirstSheet(change));
    expect(exit).toBe('attention');
    expect(report.unmatched).toMatchObject([
      { code: 'workspace-changed', reason: expect.stringContaining('changed or vanished') },
    ]);
    expect(await bench.staged()).toBe(4);
    expect(bench.files('archive').filter((name) => name.endsWith('a.xlsx'))).toEqual([]);
  });

  it('is moved to rejected/ with the reason when its second sheet is refused', async () => {
    const bench = await benchWithSheets([line(3, { email: 'nobody' }), line(4, { email: 'nobody' })]);
    expect((await bench.run()).exit).toBe('attention');
    expect(await bench.staged()).toBe(4);
    expect(bench.files('rejected')).toEqual(['a.xlsx', 'a.xlsx.reason.txt']);
    expect(bench.files('archive')).toEqual(['3-b.csv']);
  });
});
