import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

interface RefusedFiles {
  readonly refusedFiles: readonly { readonly drop: number; readonly file: string }[];
}

interface WithClosure {
  readonly files: readonly {
    readonly drop: number;
    readonly file: string;
    readonly closure: { readonly kind: string; readonly drop?: number; readonly because?: string } | null;
  }[];
  readonly attention: number;
}

/** The refused files of status, by drop number. */
async function openIn(workspace: TestWorkspace): Promise<number[]> {
  const status = documentOf<RefusedFiles>(await workspace.cli('status', '--json'));
  return status.refusedFiles.map(({ drop }) => drop);
}

const closures = async (workspace: TestWorkspace) => {
  const { files } = documentOf<WithClosure>(await workspace.cli('report', '--json'));
  return files.map(({ closure }) => closure);
};

/** The same with an unknown header. */
const odd = (rows: string) => rows.replace('Email', 'Who');

/** The settings under which it can be read. */
const KNOWN = { columns: { 'user-id': 'Who' }, defaults: { 'user-identifier-type': 'Email' } };

const DAY_1 = csvOf(exportRows(4));
const DAY_2 = csvOf(exportRows(4, 50));

/** A workspace in which the export of the first day was refused, with its file in rejected/. */
const afterDayOne = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ root });
  workspace.drop('export.csv', odd(DAY_1));
  await workspace.cli('run', '--no-push');
  expect(await openIn(workspace)).toEqual([1]);
  return workspace;
});

const rejected = (workspace: TestWorkspace) => join(workspace.root, 'rejected/academy/export.csv');

describe('a refused file', () => {
  it('stays in status when tomorrow’s file of the same name is accepted', async () => {
    const workspace = await afterDayOne();
    workspace.drop('export.csv', DAY_2);
    const { report } = await workspace.run();
    expect(report.files).toMatchObject([{ file: 'export.csv', state: 'published' }]);
    expect(await openIn(workspace)).toEqual([1]);
    // Nor does it leave when its file was taken away to be corrected.
    rmSync(rejected(workspace));
    workspace.drop('export.csv', csvOf(exportRows(4, 100)));
    await workspace.run();
    expect(await openIn(workspace)).toEqual([1]);
    expect((await workspace.books()).attention).toBe(1);
  });

  it('leaves status once the same bytes have come in', async () => {
    const workspace = await afterDayOne();
    const config = JSON.parse(readFileSync(join(workspace.root, 'registrar.yaml'), 'utf8'));
    Object.assign(config.sources[0], KNOWN);
    writeFileSync(join(workspace.root, 'registrar.yaml'), JSON.stringify(config));
    renameSync(rejected(workspace), join(workspace.root, 'inbox/academy/export.csv'));
    await workspace.run();
    expect(await openIn(workspace)).toEqual([]);
    expect(await closures(workspace)).toEqual([null]);
  });

  it('stays where its rows have come in with a corrected header, until a person dismisses it', async () => {
    const workspace = await afterDayOne();
    workspace.drop('export-corrected.csv', DAY_1);
    await workspace.run();
    expect(await openIn(workspace)).toEqual([1]);
    await workspace.cli('dismiss', '--drop', '1', '--because', 'corrected in export-corrected.csv');
    expect(await openIn(workspace)).toEqual([]);
  });

  it('leaves status once its bytes have come in for the source that it belongs to', async () => {
    const workspace = await testWorkspace({
      sources: { academy: {}, campus: KNOWN },
    });
    workspace.drop('export.csv', odd(DAY_1));
    await workspace.cli('run', '--no-push');
    expect(await openIn(workspace)).toEqual([1]);
    copyFileSync(rejected(workspace), join(workspace.root, 'inbox/campus/export.csv'));
    await workspace.run();
    expect(await openIn(workspace)).toEqual([]);
    expect(await closures(workspace)).toMatchObject([{ kind: 'came-in', drop: 2 }, null]);
    expect((await workspace.cli('report')).stdout).toContain('Its rows were imported later, with drop 2.');
  });

  it('is open again when it is refused again', async () => {
    const workspace = await afterDayOne();
    await workspace.cli('dismiss', '--drop', '1', '--because', 'sent by mistake');
    expect(await openIn(workspace)).toEqual([]);
    workspace.drop('export.csv', odd(DAY_1));
    await workspace.run();
    expect(await openIn(workspace)).toEqual([1]);
  });
});

describe('dismissing a refused file', () => {
  it('is a decision with its reason, in report and trace; the file and its reason stay', async () => {
    const workspace = await afterDayOne();
    const dry = await workspace.cli('dismiss', '--drop', '1', '--dry-run', '--json');
    expect(documentOf(dry)).toMatchObject({
      count: 0,
      files: [{ drop: 1, source: 'academy', file: 'export.csv' }],
    });
    expect((await workspace.cli('dismiss', '--drop', '1')).stderr).toContain('dismiss needs a reason');
    expect(await openIn(workspace)).toEqual([1]);

    const { stdout } = await workspace.cli('dismiss', '--drop', '1', '--because', 'entered by hand');
    expect(stdout).toBe(
      'Drop 1, rejected/academy/export.csv, was dismissed: it stays where it is and is no longer reported.\n',
    );
    expect(await openIn(workspace)).toEqual([]);
    expect(workspace.query('select kind, because, finished_at is null as open from decision')).toEqual([
      { kind: 'dismiss', because: 'entered by hand', open: 0 },
    ]);
    expect(await closures(workspace)).toMatchObject([{ kind: 'dismissed', because: 'entered by hand' }]);
    expect((await workspace.books()).attention).toBe(0);
    const trace = await workspace.cli('trace', 'export.csv:2');
    expect(trace.stdout).toMatch(/refused \(dismissed by \S+ on [\d-]+, decision 1: entered by hand\): /);
    expect(existsSync(rejected(workspace)) && existsSync(`${rejected(workspace)}.reason.txt`)).toBe(true);
    const again = await workspace.cli('dismiss', '--drop', '1', '--because', 'x');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('drop 1, export.csv, is closed already (dismissed by ');
  });

  it('by its name also dismisses the rows of files of that name that need attention', async () => {
    const workspace = await afterDayOne();
    workspace.drop('export.csv', odd(DAY_2));
    await workspace.cli('run', '--no-push');
    workspace.drop('other.csv', odd(csvOf(exportRows(2, 300))));
    await workspace.cli('run', '--no-push');
    const { stdout } = await workspace.cli('dismiss', '--file', 'export.csv', '--because', 'x', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ moved: 0, files: [{ drop: 1 }, { drop: 2 }] });
    expect(await openIn(workspace)).toEqual([3]);
  });

  it('says what a number refers to if not a refused file', async () => {
    const workspace = await afterDayOne();
    workspace.drop('good.csv', DAY_2);
    await workspace.run();
    const good = await workspace.cli('dismiss', '--drop', '2', '--because', 'x');
    expect(good.stderr).toContain(
      'drop 2, good.csv, was not refused: its rows count. To dismiss its rows, select them by the file good.csv',
    );
    expect((await workspace.cli('dismiss', '--drop', '9', '--because', 'x')).stderr).toContain(
      'there is no drop 9',
    );
  });
});
