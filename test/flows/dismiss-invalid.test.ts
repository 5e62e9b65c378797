import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { imbalancesOf } from '../support/snapshot-ledger.js';
import { documentOf, type TestWorkspace, testWorkspace, textOf } from '../support/workspace.js';

const ADA = 'ada@example.org';

interface Shown {
  readonly count: number;
  readonly causes: readonly { readonly state: string; readonly code: string; readonly rows: number }[];
  readonly omitted: readonly { readonly line: number | null; readonly state: string }[];
  readonly selected: readonly {
    readonly submissionId: number | null;
    readonly state: string;
    readonly code: string;
    readonly file: string;
    readonly line: number;
  }[];
}

/** Two files: in a.csv lines 3 to 5 are invalid, in b.csv lines 3 and 4; ada is in a.csv:3 and b.csv:4. */
const withInvalidRows = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ root });
  workspace.drop(
    'a.csv',
    csvOf([
      exportRow(1),
      exportRow(2, { email: ADA, at: 'soon', course: 'C-9' }),
      exportRow(3, { at: 'soon' }),
      exportRow(4, { email: 'nobody' }),
      ...exportRows(3, 10),
    ]),
  );
  await workspace.run('--no-push');
  workspace.drop(
    'b.csv',
    csvOf([exportRow(20), exportRow(21, { at: 'later' }), exportRow(22, { email: ADA, at: '' })]),
  );
  await workspace.run('--no-push');
  return workspace;
});

async function shown(workspace: TestWorkspace, ...options: string[]): Promise<Shown> {
  return documentOf<Shown>(await workspace.cli('dismiss', '--dry-run', '--json', ...options));
}

describe('invalid rows', () => {
  it('are selected by state, cause, file, run, learner, content and line, and by what narrows together', async () => {
    const workspace = await withInvalidRows();
    const lines = async (...options: string[]) =>
      (await shown(workspace, '--state', 'invalid', ...options)).selected.map(
        ({ file, line }) => `${file}:${line}`,
      );
    expect(await lines()).toEqual(['a.csv:3', 'a.csv:4', 'a.csv:5', 'b.csv:3', 'b.csv:4']);
    expect(await lines('--reason', 'timestamp-invalid')).toEqual(['a.csv:3', 'a.csv:4', 'b.csv:3']);
    expect(await lines('--reason', 'canary')).toEqual([]);
    expect(await lines('--file', 'b.csv')).toEqual(['b.csv:3', 'b.csv:4']);
    expect(await lines('--run', '1')).toEqual(['a.csv:3', 'a.csv:4', 'a.csv:5']);
    expect(await lines('--learner', 'ADA@example.org')).toEqual(['a.csv:3', 'b.csv:4']);
    expect(await lines('--content', 'C-9')).toEqual(['a.csv:3']);
    expect(await lines('--learner', ADA, '--content', 'C-9', '--file', 'b.csv')).toEqual([]);
    expect(await lines('--learner', ADA, '--row', 'a.csv:3', 'a.csv:4')).toEqual(['a.csv:3']);
    expect(await lines('--row', '2:3', 'a.csv:5')).toEqual(['a.csv:5', 'b.csv:3']);
    expect(await lines('--until', '2001-01-01')).toEqual([]);
  });

  it('are shown with their issues, and counted by these', async () => {
    const workspace = await withInvalidRows();
    const { selected, causes, count } = await shown(workspace, '--all');
    expect(count).toBe(5);
    expect(selected[0]).toEqual({
      submissionId: null,
      state: 'invalid',
      code: 'timestamp-invalid',
      environment: 'main',
      drop: 1,
      file: 'a.csv',
      line: 3,
    });
    expect(causes.map(({ state, code, rows }) => [state, code, rows])).toEqual([
      ['invalid', 'timestamp-invalid', 3],
      ['invalid', 'email-invalid', 1],
      ['invalid', 'value-missing', 1],
    ]);
    const { stdout } = await workspace.cli('dismiss', '--state', 'invalid', '--file', 'b.csv', '--dry-run');
    expect(stdout).toMatch(/2:3 +invalid +timestamp-invalid +b\.csv:3/);
    expect(stdout).toMatch(/^2 rows\.\n[\s\S]*\nNothing was changed\.\n$/m);
  });

  it('that are dismissed no longer need attention, keep their disposition, and the books balance', async () => {
    const workspace = await withInvalidRows();
    await workspace.run();
    expect((await workspace.books()).attention).toBe(5);
    const options = ['--state', 'invalid', '--reason', 'timestamp-invalid'];
    const planned = await shown(workspace, ...options);
    const done = await workspace.cli('dismiss', ...options, '--because', 'a test export', '--json');
    expect(documentOf(done)).toEqual({ decision: 1, moved: 0, resolved: planned.count, files: [] });

    const books = await workspace.books();
    expect(books).toMatchObject({ balanced: true, attention: 2, attentionRows: 2 });
    expect(books.dispositions).toMatchObject({ invalid: 5 });
    expect(books.causes.map(({ code, count }) => [code, count])).toEqual([
      ['email-invalid', 1],
      ['value-missing', 1],
    ]);
    expect(await imbalancesOf(workspace)).toEqual([]);
    const { attention } = documentOf<{ attention: { code: string }[] }>(
      await workspace.cli('status', '--json'),
    );
    expect(attention.map(({ code }) => code).sort()).toEqual(['email-invalid', 'value-missing']);
    await workspace.cli('report', '--out', 'out', '--format', 'csv');
    const files = workspace.files('out').filter((name) => name.includes('attention'));
    const texts = files.map((name) => textOf(workspace, `out/${name}`)).join('');
    expect(texts).toContain('email-invalid');
    expect(texts).not.toContain('timestamp-invalid');
    expect(await shown(workspace, ...options)).toMatchObject({ count: 0, selected: [] });

    // Nor does a repaired source read them again.
    await workspace.cli('restage', 'a.csv');
    expect(workspace.query('select count(*) as n from submission where decision_id is not null')).toEqual([
      { n: 0 },
    ]);

    const { rows } = documentOf<{ rows: { disposition: string; resolvedIn: unknown }[] }>(
      await workspace.cli('trace', 'a.csv:3', '--json'),
    );
    expect(rows).toMatchObject([
      { disposition: 'invalid', resolvedIn: { decisionId: 1, kind: 'dismiss', because: 'a test export' } },
    ]);
    const { stdout } = await workspace.cli('trace', 'a.csv:3');
    expect(stdout).toMatch(/invalid,\s+resolved: dismiss of .*“a\s+test\s+export”/s);
  });

  it('are dismissed with rejected rows by one decision when everything is selected', async () => {
    const workspace = await testWorkspace({ sandbox: { learners: { unknown: [ADA] } } });
    workspace.drop(
      'a.csv',
      csvOf([exportRow(1), exportRow(2, { email: ADA }), exportRow(3, { at: 'soon' })]),
    );
    await workspace.run();
    const { stdout } = await workspace.cli('dismiss', '--file', 'a.csv', '--because', 'a test');
    expect(stdout).toBe(
      '1 row was dismissed: kept, never sent.\n1 invalid row was dismissed: kept, not listed.\n',
    );
    expect(await workspace.books()).toMatchObject({ balanced: true, attention: 0 });
    expect((await workspace.run()).code).toBe(0);
  });

  it('are no longer corrected by a returned file, as rows that were sent are not', async () => {
    const workspace = await withInvalidRows();
    await workspace.cli('report', '--out', 'out', '--format', 'csv');
    const [file = ''] = workspace
      .files('out')
      .filter((name) => name.includes('attention') && name.includes('a'));
    const content = textOf(workspace, `out/${file}`);
    await workspace.cli('dismiss', '--state', 'invalid', '--because', 'nobody knows');
    workspace.drop(file.split('/').at(-1) ?? '', content.replaceAll('soon', '2024-02-03 10:00:00'));
    await workspace.run('--no-push');
    expect(await imbalancesOf(workspace)).toEqual([]);
    expect(
      workspace.query("select distinct code from correction_issue where code = 'original-closed'"),
    ).toHaveLength(1);
  });

  it('are not rerun: the command says what to do instead', async () => {
    const workspace = await withInvalidRows();
    const refused = await workspace.cli('rerun', '--state', 'invalid');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--state "invalid" can't be rerun.*restage its file/s),
    });
    const named = await workspace.cli('rerun', '--row', 'a.csv:3');
    expect(named.stdout).toMatch(/^Left out: a\.csv:3 is invalid\. It has no record to send\./m);
    const all = documentOf<Shown & { invalid: number }>(await workspace.cli('rerun', '--all', '--json'));
    expect(all).toMatchObject({ count: 0, invalid: 5, selected: [] });
    expect((await workspace.cli('rerun', '--all')).stdout).toContain('5 invalid rows match as well');
  });

  it('are named by a line; a line that became a submission names that, and others are left out', async () => {
    const workspace = await withInvalidRows();
    await workspace.cli('dismiss', '--row', 'a.csv:4', '--because', 'x');
    const rows = ['--row', 'a.csv:2', 'a.csv:3', 'a.csv:4', '--state', 'waiting,invalid'];
    const { selected, omitted } = await shown(workspace, ...rows);
    expect(selected.map(({ submissionId, line }) => [submissionId, line])).toEqual([
      [expect.any(Number), 2],
      [null, 3],
    ]);
    expect(omitted.map(({ line, state }) => [line, state])).toEqual([[4, 'resolved']]);
    const wrong: [string, RegExp][] = [
      ['a.csv:99', /a\.csv has no row on line 99/],
      ['c.csv:2', /no file was imported as c\.csv/],
      ['x', /--row "x" can't be read/],
    ];
    for (const [row, sentence] of wrong) {
      const { code, stderr } = await workspace.cli('dismiss', '--dry-run', '--row', row);
      expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
    }
  });
});

it('a decision keeps its selection of rows without naming any person', async () => {
  const workspace = await withInvalidRows();
  await workspace.cli('dismiss', '--learner', ADA, '--row', 'a.csv:3', '--because', 'left');
  const [{ selection } = { selection: '' }] = workspace.query<{ selection: string }>(
    'select selection from decision',
  );
  expect(JSON.parse(selection)).toMatchObject({
    states: ['rejected', 'failed', 'in-doubt', 'held', 'invalid'],
    rows: ['1:3'],
    learners: expect.arrayContaining([expect.stringMatching(/^[0-9a-f]{16}$/)]),
  });
  expect(selection).not.toContain('@');
});
