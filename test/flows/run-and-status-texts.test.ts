import { expect, it } from 'vitest';
import { commandLine } from '../support/command-line.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { tempFolder } from '../support/temp-folder.js';
import { CREDENTIALS, documentOf, ledgerEnv, testWorkspace, textOf } from '../support/workspace.js';

it('a run that --max-duration ends says how many rows wait, of earlier runs too, how long they take and who delivers them', async () => {
  const workspace = await testWorkspace({ sandbox: { quota: { requests: 5, perMs: 60_000 } } });
  workspace.drop('a.csv', csvOf(exportRows(60)));
  await workspace.run('--no-push');
  workspace.drop('b.csv', csvOf(exportRows(20, 100)));
  const run = await workspace.cli('run', '--max-duration', '1500ms');
  const { waiting = 0, accepted = 0 } = workspace.states();
  expect([run.code, waiting + accepted]).toEqual([0, 80]);
  expect(run.stdout).toMatch(
    new RegExp(
      `^The books balance\\. ${accepted} rows? accepted, ${waiting} rows waiting\\. Nothing needs attention\\.\\n` +
        'Each of the 21 rows read from 1 file is accounted for\\.\\n' +
        `${waiting} rows wait for main: 1\\d min(?: \\d+ s)? of delivery, until .+; ` +
        'the next registrar run delivers them\\.\\n',
    ),
  );
  const page = workspace.files('reports').filter((path) => path.endsWith('report.html'));
  const [last = ''] = page.toSorted().reverse();
  expect(textOf(workspace, `reports/${last}`)).toContain(`${waiting} rows waiting. `);
  const [queue] = documentOf(await workspace.cli('report', '--json')).waiting;
  expect(queue).toMatchObject({ environment: 'main', waiting, pushedBy: null });
});

it('a run that stops before all inboxes are read doesn’t report that there was no file', async () => {
  const workspace = await testWorkspace({ sources: { academy: { stableFor: '5s' } } });
  workspace.drop('a.csv', csvOf(exportRows(3)));
  const cut = await workspace.cli('run', '--max-duration', '200ms');
  expect([cut.code, cut.stdout]).toEqual([
    0,
    'Nothing was sent. The run had to stop before all inboxes were read: the next run imports the rest.\n',
  ]);
  expect(workspace.files('inbox')).toEqual(['academy/a.csv']);
});

it('a run reports open rows of earlier runs as needing attention', async () => {
  const workspace = await testWorkspace();
  workspace.drop(
    'a.csv',
    csvOf([...exportRows(3), exportRow(20, { at: 'never' }), exportRow(21, { at: '?' })]),
  );
  workspace.drop('odd.csv', 'Who,What\nada,C-1\n');
  await workspace.run();
  workspace.drop('b.csv', csvOf(exportRows(2, 100)));
  const { code, stdout } = await workspace.cli('run');
  const others = '2 rows and 1 file of other runs need attention: registrar status.\n';
  expect(code).toBe(0);
  expect(stdout).toContain(
    `The books balance. 2 rows accepted. Nothing new needs attention.\nEach of the 3 rows read from 1 file is accounted for.\n${others}`,
  );
  expect((await workspace.cli('run')).stdout).toBe(
    `No new file was imported, and nothing was sent.\n${others}`,
  );
  const elsewhere = { rows: 2, files: 1 };
  const { report } = await workspace.run();
  expect(report).toMatchObject({ attention: 0, attentionElsewhere: elsewhere });
  expect(await workspace.books()).toMatchObject({ attentionElsewhere: { rows: 0, files: 0 } });
});

it('a run without new files reports the waiting rows', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.run('--no-push');
  const { stdout } = await workspace.cli('run', '--no-push');
  expect(stdout).toMatch(
    /^No new file was imported.*\n3 rows wait for main: .* the next registrar run delivers them\.\n$/,
  );
});

it('rows and files that need attention are counted separately, and the causes add up to the rows', async () => {
  const workspace = await testWorkspace({ sandbox: { learners: { unknownContaining: 'unknown' } } });
  workspace.drop('a.csv', csvOf([...exportRows(4), exportRow(20, { at: 'never' })]));
  workspace.drop(
    'b.csv',
    csvOf([exportRow(21, { email: 'x.unknown@example.org' }), exportRow(22, { at: '?' })]),
  );
  workspace.drop('odd.csv', 'Who,What\nada,C-1\n');
  const { report } = await workspace.run();
  expect(report).toMatchObject({ attention: 4, attentionRows: 3, attentionFiles: 1 });
  expect(report.causes.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  const { stdout } = await workspace.cli('report', '--run', '1');
  expect(stdout).toContain('4 rows accepted, 3 rows and 1 file need attention.');
});

it('a cause lists each drop with its number of rows, although only 20 rows are shown', async () => {
  const workspace = await testWorkspace({ sources: { academy: { timeZone: undefined } } });
  const unzoned = (count: number, from: number) => csvOf(exportRows(count, from));
  workspace.drop('a.csv', unzoned(25, 0));
  workspace.drop('good.csv', csvOf([exportRow(500, { at: '2024-03-01T10:00:00Z' })]));
  workspace.drop('c.csv', unzoned(2, 100));
  workspace.drop('d.csv', unzoned(1, 200));
  const { report } = await workspace.run();
  const [cause] = report.causes;
  expect(cause).toMatchObject({ code: 'timestamp-unzoned', count: 28 });
  expect(cause?.drops.map(({ file, count }) => [file, count])).toEqual([
    ['a.csv', 25],
    ['c.csv', 2],
    ['d.csv', 1],
  ]);
  const status = await workspace.cli('status');
  expect(status.stdout.match(/> registrar restage \d+/g)).toEqual(
    cause?.drops.map(({ drop }) => `> registrar restage ${drop}`),
  );
  const page = textOf({ root: report.reportFolder ?? '' }, 'report.html');
  for (const { drop, file, count } of cause?.drops ?? []) {
    expect(page).toContain(`registrar restage ${drop}`);
    expect(page).toContain(`<b>${count} row${count === 1 ? '' : 's'}</b> in <bdi>${file}</bdi>`);
    expect(page).toContain(`href="${drop}-${file.replace('.csv', '')}.attention.csv"`);
  }
});

it('each remedy is listed once, with its causes, and its command names the drop by number', async () => {
  const workspace = await testWorkspace();
  const rows = [{ email: 'nobody' }, { at: 'never' }, { course: '' }, { status: 'Erledigt?' }];
  workspace.drop('a.csv', csvOf([...exportRows(9), ...rows.map((values, n) => exportRow(20 + n, values))]));
  const { stdout } = await workspace.cli('run');
  const status = (await workspace.cli('status')).stdout;
  for (const text of [stdout, status]) {
    expect(text.match(/Correct the value in the original file/g)).toHaveLength(1);
    expect(text.match(/> registrar restage 1$/gm)).toHaveLength(1);
    expect(text).not.toContain('DROP');
  }
  expect(stdout).toMatch(/^ {2}email-invalid, timestamp-invalid, value-missing: Correct the value/m);
});

it('a report names the workspace in its commands where the current folder is another', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf([exportRow(1, { status: 'Erledigt?' })]));
  await workspace.run();
  const elsewhere = await commandLine(['report', '--workspace', workspace.root], {
    cwd: tempFolder(),
    env: { ...CREDENTIALS, ...ledgerEnv(workspace) },
  });
  expect(elsewhere.stdout).toContain(`    > registrar restage 1 --workspace ${workspace.root}\n`);
  expect((await workspace.cli('report')).stdout).toContain('    > registrar restage 1\n');
});

it('each reason of a refused file is a sentence, with a capital and a full stop', async () => {
  const columns = { 'user-id': 'E-Mail', 'content-id': 'Course', 'completed-at': 'Completed on' };
  const workspace = await testWorkspace({ sources: { academy: { columns } } });
  workspace.drop('a.csv', 'foo,bar\n1,2\n');
  const { stdout } = await workspace.cli('run');
  expect(stdout).toContain('The file has no column "Course", which registrar.yaml names');
  expect(stdout).not.toMatch(/\. [a-z]/);
});

it('a row with two empty cells counts once under their cause', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf([exportRow(1), exportRow(2, { course: '', at: '' })]));
  const { report } = await workspace.run();
  expect(report.causes).toMatchObject([{ code: 'value-missing', count: 1 }]);
  expect(report.attentionRows).toBe(1);
});

it('map reports for each new row whether the next run delivers it, or why it is held', async () => {
  const old = 'old@example.org';
  const workspace = await testWorkspace({ sandbox: { learners: { unknown: [old] } } });
  const rows = [
    exportRow(1, { email: 'new@example.org', course: 'C-1', at: '2024-03-02 10:00:00' }),
    exportRow(1, { email: old, course: 'C-1', at: '2024-03-01 10:00:00' }),
    exportRow(1, { email: old, course: 'C-2', at: '2024-03-01 10:00:00' }),
  ];
  workspace.drop('a.csv', csvOf(rows));
  await workspace.run();
  const { stdout } = await workspace.cli('map', old, 'new@example.org', '--because', 'she married');
  expect(stdout).toContain('1 new row waits: the next registrar run delivers it.\n');
  expect(stdout).toContain(
    '1 new row is held (out-of-order), and no run delivers it: a later completion of the same learner and content was already accepted.',
  );
  await workspace.run();
  expect(workspace.states()).toEqual({ accepted: 2, held: 1, replaced: 2 });
});

it('status omits the rerun of out-of-order rows, and gives the command that dismisses them', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf([exportRow(1, { at: '2024-03-02 10:00:00' })]));
  await workspace.run();
  workspace.drop('b.csv', csvOf([exportRow(1, { at: '2024-03-01 10:00:00' })]));
  const run = await workspace.cli('run');
  expect(run.stdout).toContain('otherwise leave it.');
  expect(run.stdout).not.toContain('registrar rerun');
  const again = await workspace.cli('report', '--run', '2');
  expect(again.stdout).toContain('out-of-order');
  const { stdout } = await workspace.cli('status');
  expect(stdout).not.toContain('registrar rerun');
  expect(stdout).toContain('otherwise leave it.');
  const dismiss = 'registrar dismiss --state held --reason out-of-order --because TEXT';
  expect(stdout).toContain(`To take them off this list: ${dismiss}\n`);
  const { code } = await workspace.cli('dismiss', ...dismiss.replaceAll('"', '').split(' ').slice(2));
  expect(code).toBe(0);
  expect((await workspace.cli('status')).stdout).toContain('Nothing needs attention.');
});
