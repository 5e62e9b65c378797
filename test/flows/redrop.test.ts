import { describe, expect, it } from 'vitest';
import {
  type AttentionFile,
  attentionOf,
  corrected,
  savedCsv,
  savedWorkbook,
} from '../support/attention-file.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { documentOf, type ReportDocument, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const TYPO = 'aad@example.org';
const ADA = 'ada@example.org';

/** Two good rows, two of a learner with a typo in the address, one without an address. */
const ROWS = [
  ...exportRows(2),
  exportRow(10, { email: TYPO }),
  exportRow(11, { email: TYPO }),
  exportRow(12, { email: 'nobody at all' }),
];

interface Told {
  readonly workspace: TestWorkspace;
  readonly report: ReportDocument;
  readonly attention: AttentionFile;
}

/** A run over the rows, and what its attention file says. */
async function told(rows = ROWS, source: Readonly<Record<string, unknown>> = {}): Promise<Told> {
  const workspace = await testWorkspace({
    sandbox: { learners: { unknown: [TYPO] } },
    sources: { academy: source },
  });
  workspace.drop('a.csv', csvOf(rows));
  const { report } = await workspace.run();
  return { workspace, report, attention: attentionOf(workspace, report, 1) };
}

const mended = (row: Readonly<Record<string, string>>) => ({ ...row, Email: ADA });

/** What became of each row of a drop, and what the platform has. */
function rowsOf(workspace: TestWorkspace, dropId: number): string[] {
  return workspace
    .query<{ text: string }>(
      `select r.line || ' ' || r.disposition || coalesce(' ' || s.state, '') as text from row r
       left join submission s using (submission_id) where r.drop_id = ${dropId} order by r.line`,
    )
    .map(({ text }) => text);
}

function received(workspace: TestWorkspace): string[] {
  const completions = workspace.sandbox.platform.completions();
  return completions.map(({ attributes }) => `${attributes['user-id']} ${attributes['content-id']}`).sort();
}

const ALL_RECEIVED = [
  `${ADA} COURSE-3`,
  `${ADA} COURSE-4`,
  `${ADA} COURSE-5`,
  'learner0@example.org COURSE-0',
  'learner1@example.org COURSE-1',
];

async function closes(workspace: TestWorkspace): Promise<void> {
  expect(await workspace.books()).toMatchObject({ balanced: true, attention: 0 });
  expect(received(workspace)).toEqual(ALL_RECEIVED);
  expect(workspace.states()).toEqual({ accepted: 5, replaced: 2 });
  expect(rowsOf(workspace, 1)).toEqual([
    '1 non-data',
    '2 staged accepted',
    '3 staged accepted',
    '4 staged replaced',
    '5 staged replaced',
    '6 invalid',
  ]);
}

describe('a corrected attention file', () => {
  it('is delivered in place of its originals, which keep their dispositions, whatever its name', async () => {
    const { workspace, attention } = await told();
    expect(attention.rows.map(({ _row }) => _row)).toEqual(['4', '5', '6']);
    workspace.drop('mended by me.csv', savedCsv(corrected(attention, mended)));
    const { code, report } = await workspace.run();
    expect([code, report.dispositions]).toEqual([0, expect.objectContaining({ staged: 3, invalid: 0 })]);
    expect(rowsOf(workspace, 2)).toEqual([
      '1 non-data',
      '2 staged accepted',
      '3 staged accepted',
      '4 staged accepted',
    ]);
    await closes(workspace);
    expect(workspace.query('select kind, because, selection from decision')).toEqual([
      { kind: 'correct', because: 'mended by me.csv', selection: '{"drop":2}' },
    ]);
  });

  it('does so as a workbook too, for a source that takes text files alone', async () => {
    const { workspace, attention } = await told(ROWS, { match: 'a.csv', delimiter: ',' });
    workspace.drop('1-a.attention (2).xlsx', await savedWorkbook(corrected(attention, mended)));
    expect((await workspace.run()).code).toBe(0);
    await closes(workspace);
  });

  it('is found with another delimiter and order, fewer columns of ours, numbers and dates written otherwise', async () => {
    const { workspace, attention } = await told(ROWS, { match: '*.csv', delimiter: ',' });
    const header = ['_drop', 'Score', 'Completed on', 'Course ID', '_row', 'Email', 'Status'];
    const rows = corrected(attention, mended).rows.map((row) => ({
      ...row,
      Score: `${row.Score},0`,
      'Completed on': `${row['Completed on']?.replace(' ', 'T')}  `,
    }));
    workspace.drop('b.csv', savedCsv({ header, rows }, ';'));
    expect((await workspace.run()).code).toBe(0);
    await closes(workspace);
  });

  it('dropped again, in the same bytes or others, stages and sends nothing', async () => {
    const { workspace, attention } = await told();
    const file = corrected(attention, mended);
    workspace.drop('b.csv', savedCsv(file));
    await workspace.run();
    const posts = workspace.posts();
    workspace.drop('c.csv', savedCsv(file));
    workspace.drop('d.csv', savedCsv(file, ';'));
    workspace.drop('e.xlsx', await savedWorkbook(file));
    const { code, report } = await workspace.run();
    expect([code, report.dispositions]).toEqual([
      0,
      expect.objectContaining({ staged: 0, amended: 0, duplicate: 6, invalid: 0 }),
    ]);
    expect(workspace.posts()).toBe(posts);
    await closes(workspace);
  });

  it('sends unchanged rows again, and leaves rows open that are still no record', async () => {
    const { workspace, attention } = await told();
    workspace.drop('b.csv', savedCsv(attention));
    const { report } = await workspace.run();
    expect(report.dispositions).toMatchObject({ staged: 0, duplicate: 2, skipped: 1, invalid: 0 });
    expect(rowsOf(workspace, 2).at(-1)).toBe('4 skipped');
    expect(workspace.query('select code from issue where drop_id = 2 and line = 4')).toEqual([
      { code: 'not-corrected' },
    ]);
    const reruns = `select t.cause, d.kind from transition t join decision d using (decision_id) where event = 'rerun'`;
    expect(workspace.query(reruns)).toEqual([
      { cause: 'redrop', kind: 'correct' },
      { cause: 'redrop', kind: 'correct' },
    ]);
    expect((await workspace.books()).causes).toContainEqual(
      expect.objectContaining({ code: 'email-invalid', count: 1, example: 'a.csv:6' }),
    );
  });

  it('corrected wrongly is corrected again, by its own attention file, and nothing counts twice', async () => {
    const { workspace, attention } = await told();
    const wrong = corrected(attention, (row) =>
      row._row === '6' ? { ...row, Email: 'still nobody' } : null,
    );
    workspace.drop('b.csv', savedCsv(wrong));
    const { report } = await workspace.run();
    expect(await workspace.books()).toMatchObject({ attention: 3 });
    const again = attentionOf(workspace, report, 2);
    expect(again.header).toEqual(attention.header);
    expect(again.rows).toMatchObject([{ Email: 'still nobody', 'Course ID': 'COURSE-5', _row: '2' }]);
    workspace.drop('c.csv', savedCsv(corrected(again, mended)));
    workspace.drop('d.csv', savedCsv(corrected(attention, (row) => (row._row === '6' ? null : mended(row)))));
    expect((await workspace.run()).code).toBe(0);
    await closes(workspace);
    expect(
      workspace.query(
        `select drop_id as "drop", line, submission_id is not null as made, successor_drop_id as row from resolution`,
      ),
    ).toEqual([
      { drop: 1, line: 6, made: 0, row: 2 },
      { drop: 2, line: 2, made: 1, row: null },
    ]);
  });

  it('of a row with more cells than the header shows them behind our columns, where they can be mended', async () => {
    const text = csvOf([exportRow(1), exportRow(2)]).replace(/COURSE-2/, 'COURSE,-2');
    const workspace = await testWorkspace();
    workspace.drop('a.csv', text);
    const { report } = await workspace.run();
    const attention = attentionOf(workspace, report, 1);
    expect(attention.rows).toMatchObject([{ 'Course ID': 'COURSE', 'Completed on': '-2', _row: '3' }]);
    expect(attention.rows[0]?._drop).toMatch(/^1-[0-9a-f]{12}$/);
    const { at, score, status } = exportRow(2);
    // What was moved behind the last column goes back, and nothing stays there.
    const cells = {
      'Course ID': 'COURSE-2',
      'Completed on': at,
      Score: String(score),
      Status: status,
      '': '',
    };
    workspace.drop('b.csv', savedCsv(corrected(attention, (row) => ({ ...row, ...cells }))));
    expect((await workspace.run()).code).toBe(0);
    expect(received(workspace)).toContain('learner2@example.org COURSE-2');
    expect((await workspace.books()).attention).toBe(0);
  });

  it('is shown by check and inspect, which write nothing', async () => {
    const { workspace, attention } = await told();
    const path = workspace.drop(
      'b.csv',
      savedCsv(corrected(attention, (row) => (row._row === '5' ? row : mended(row)))),
    );
    const check = documentOf<{ redrops: unknown; dispositions: unknown }>(
      await workspace.cli('check', path, '--source', 'academy', '--json'),
    );
    expect(check).toMatchObject({
      dispositions: { staged: 2, duplicate: 1 },
      redrops: [
        {
          sheet: null,
          source: 'academy',
          corrects: [{ drop: 1, file: 'a.csv' }],
          rows: [
            { line: 2, drop: 1, originalLine: 4, disposition: 'staged', original: 'replaced' },
            { line: 3, drop: 1, originalLine: 5, disposition: 'duplicate', original: 'rerun' },
            { line: 4, drop: 1, originalLine: 6, disposition: 'staged', original: 'resolved' },
          ],
        },
      ],
    });
    expect((await workspace.cli('check', path, '--source', 'academy')).stdout).toContain(
      'Corrects a.csv (drop 1).',
    );
    expect((await workspace.cli('inspect', path, '--source', 'academy')).stdout).toContain(
      'attention file of drop 1 (1-',
    );
    expect(workspace.query('select count(*) as drops from drop_file')).toEqual([{ drops: 1 }]);
  });
});
