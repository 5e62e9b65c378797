import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { documentOf, type TestWorkspace, testWorkspace, textOf } from '../support/workspace.js';

/** A workspace with files that no source takes. */
async function cluttered(): Promise<TestWorkspace> {
  const workspace = await testWorkspace({ sources: { academy: {}, campus: {} } });
  const csv = csvOf(exportRows(2));
  workspace.drop('October.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  workspace.drop('October.rar', 'Rar!\x1a\x07');
  workspace.drop('October.csv.bz2', 'BZh91AY&SY');
  workspace.drop('export.dat', csv);
  mkdirSync(join(workspace.root, 'inbox/academy/November'));
  symlinkSync('/etc/hostname', join(workspace.root, 'inbox/academy/link.csv'));
  workspace.drop('stray.csv', csv, '');
  workspace.drop('a.csv', csv, 'acadmey');
  for (const name of ['.DS_Store', 'Thumbs.db', 'up.csv.part']) workspace.drop(name, 'x');
  return workspace;
}

const PATHS = [
  'inbox/academy/November',
  'inbox/academy/October.csv.bz2',
  'inbox/academy/October.rar',
  'inbox/academy/October.xls',
  'inbox/academy/export.dat',
  'inbox/academy/link.csv',
  'inbox/acadmey',
  'inbox/stray.csv',
];

interface WithUnmatched {
  readonly unmatched:
    | readonly { readonly path: string; readonly code: string; readonly remedy: string }[]
    | null;
}

describe('unmatched files', () => {
  it('are named with what to do by run, which ends with 1', async () => {
    const workspace = await cluttered();
    const { code, stdout, stderr } = await workspace.cli('run');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const oneLine = stdout.replace(/\n {2}/g, ' ');
    expect(oneLine).toContain('8 files in the inboxes were not imported:\n');
    expect(oneLine).toContain(
      'inbox/academy/October.xls is a workbook in the old .xls format, or with a password. Open it and save it as .xlsx, without a password.\n',
    );
    expect(oneLine).toContain(
      'inbox/acadmey is directly in inbox/, where no source reads it. Put it, or the files in it, into the inbox of its source: inbox/academy/ or inbox/campus/.',
    );
    for (const path of PATHS) expect(stdout).toContain(path);
    for (const name of ['Thumbs.db', 'up.csv.part', 'DS_Store']) expect(stdout).not.toContain(name);
  });

  it('are in the report’s document, text and page', async () => {
    const workspace = await cluttered();
    workspace.drop('good.csv', csvOf(exportRows(3)));
    const { code, report } = await workspace.run();
    expect(code).toBe(1);
    expect((report as unknown as WithUnmatched).unmatched?.map(({ path }) => path)).toEqual(PATHS);
    const folder = report.reportFolder?.slice(workspace.root.length + 1) ?? '';
    const written = JSON.parse(textOf(workspace, `${folder}/report.json`)) as WithUnmatched;
    expect(written.unmatched?.map(({ path }) => path)).toEqual(PATHS);
    const text = textOf(workspace, `${folder}/report.txt`);
    const page = textOf(workspace, `${folder}/report.html`);
    expect(text).toContain('8 files not imported.');
    expect(text).not.toContain('nothing needs attention');
    expect(page).toMatch(/<h1>.*8 files not imported/);
    for (const path of PATHS) {
      expect(text).toContain(path);
      expect(page).toContain(`<bdi>${path}</bdi>`);
    }
  });

  it('are named by status and doctor', async () => {
    const workspace = await cluttered();
    const { stdout } = await workspace.cli('status');
    expect(stdout).not.toContain('Nothing needs attention.');
    expect(stdout).toContain('8 files in the inboxes were not imported:\n');
    const status = documentOf<WithUnmatched>(await workspace.cli('status', '--json'));
    expect(status.unmatched?.map(({ path }) => path)).toEqual(PATHS);
    const doctor = await workspace.cli('doctor', '--offline');
    expect(doctor.stdout).toMatch(
      /^attention {2}inbox +inbox\/academy\/October\.rar: is a RAR archive\. Unpack it/m,
    );
  });

  it('are named on stderr with --quiet', async () => {
    const workspace = await cluttered();
    const { code, stdout, stderr } = await workspace.cli('run', '--quiet');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    for (const path of PATHS) expect(stderr).toContain(path);
  });

  it('in the inbox of another source are not looked for by run --source', async () => {
    const workspace = await cluttered();
    const { code, report } = await workspace.run('--source', 'campus');
    expect({ code, unmatched: (report as unknown as WithUnmatched).unmatched }).toEqual({
      code: 0,
      unmatched: [],
    });
  });

  it('are not reported by a rerun', async () => {
    const workspace = await testWorkspace({
      sandbox: { faults: { schedule: [{ kind: 'refusal', match: 'COURSE-1', times: 1 }] } },
    });
    workspace.drop('good.csv', csvOf(exportRows(3)));
    await workspace.run();
    workspace.drop('October.xls', 'x');
    const rerun = await workspace.cli('rerun', '--state', 'rejected', '--json');
    expect(rerun.code).toBe(0);
    expect(documentOf<WithUnmatched>(rerun).unmatched).toBeNull();
  });
});

describe('a refused file that is moved back', () => {
  it('has its reason file removed once it is imported', async () => {
    const workspace = await testWorkspace();
    workspace.drop('odd.csv', 'Who,What\nada,C-1\n');
    await workspace.run();
    const rejected = join(workspace.root, 'rejected/academy');
    renameSync(join(rejected, 'odd.csv'), join(workspace.root, 'inbox/academy/odd.csv'));
    writeFileSync(join(workspace.root, 'inbox/academy/odd.csv'), csvOf(exportRows(2)));
    await workspace.run();
    expect(workspace.files('rejected')).toEqual([]);
  });

  it('has one reason file when it is refused again, and the one moved back with it is not imported', async () => {
    const workspace = await testWorkspace();
    workspace.drop('odd.csv', 'Who,What\nada,C-1\n');
    await workspace.run();
    const rejected = join(workspace.root, 'rejected/academy');
    renameSync(join(rejected, 'odd.csv'), join(workspace.root, 'inbox/academy/odd.csv'));
    await workspace.run();
    expect(workspace.files('rejected')).toEqual(['academy/odd.csv', 'academy/odd.csv.reason.txt']);
    for (const name of ['odd.csv', 'odd.csv.reason.txt']) {
      renameSync(join(rejected, name), join(workspace.root, 'inbox/academy', name));
    }
    const { report } = await workspace.run();
    expect(report.files).toMatchObject([{ file: 'odd.csv', state: 'refused' }]);
    expect(workspace.files('rejected')).toEqual(['academy/odd.csv', 'academy/odd.csv.reason.txt']);
    expect(existsSync(join(workspace.root, 'inbox/academy/odd.csv.reason.txt'))).toBe(true);
  });
});
