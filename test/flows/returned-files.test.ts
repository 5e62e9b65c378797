import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type AttentionFile,
  attentionIn,
  attentionOf,
  corrected,
  savedCsv,
  savedWorkbook,
} from '../support/attention-file.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
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

interface Reported {
  readonly workspace: TestWorkspace;
  readonly attention: AttentionFile;
}

const PLATFORM = { sandbox: { learners: { unknown: [TYPO] } } };

/** A run over the rows, and what its attention file says. */
async function reportedBy(source: Readonly<Record<string, unknown>>): Promise<Reported> {
  const workspace = await testWorkspace({ ...PLATFORM, sources: { academy: source } });
  workspace.drop('a.csv', csvOf(ROWS));
  const { report } = await workspace.run();
  return { workspace, attention: attentionOf(workspace, report, 1) };
}

const copy = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ ...PLATFORM, root });
  workspace.drop('a.csv', csvOf(ROWS));
  await workspace.run();
  expect(received(workspace)).toEqual(GOOD_RECEIVED);
  return workspace;
});

/** The same, made once and copied, with a platform that is yet to receive the corrected rows. */
async function reported(): Promise<Reported> {
  const workspace = await copy(PLATFORM);
  const [folder = ''] = readdirSync(join(workspace.root, 'reports'));
  return { workspace, attention: attentionIn(join(workspace.root, 'reports', folder), 1) };
}

const withRightAddress = (row: Readonly<Record<string, string>>) => ({ ...row, Email: ADA });

/** What staging made of each row of a drop, with the states of its submissions, oldest first. */
function rowsOf(workspace: TestWorkspace, dropId: number): string[] {
  const rows = workspace.query<{ line: number; disposition: string; state: string | null }>(
    `select line, r.disposition, s.state from row r left join submission s using (drop_id, line)
     where drop_id = ${dropId} order by line, s.submission_id`,
  );
  const texts = new Map<number, string>();
  for (const { line, disposition, state } of rows)
    texts.set(line, [texts.get(line) ?? `${line} ${disposition}`, state].join(' ').trimEnd());
  return [...texts.values()];
}

/** The outcome of each correction, by the number of its decision. */
function corrections({ corrections }: ReportDocument) {
  return corrections.map(({ rows: { made, repeated, invalid, left }, issues }) => ({
    made,
    repeated,
    invalid,
    left,
    issues,
  }));
}

const MADE = { made: 3, repeated: 0, invalid: 0, left: 0, issues: 0 };

function received(workspace: TestWorkspace): string[] {
  const completions = workspace.sandbox.platform.completions();
  return completions.map(({ attributes }) => `${attributes['user-id']} ${attributes['content-id']}`).sort();
}

const GOOD_RECEIVED = ['learner0@example.org COURSE-0', 'learner1@example.org COURSE-1'];

const CORRECTED_RECEIVED = [`${ADA} COURSE-3`, `${ADA} COURSE-4`, `${ADA} COURSE-5`];

/** @param before what the platform had received before the corrected rows. */
async function closes(workspace: TestWorkspace, before: readonly string[] = []): Promise<void> {
  expect(await workspace.books()).toMatchObject({ balanced: true, attention: 0 });
  expect(received(workspace)).toEqual([...CORRECTED_RECEIVED, ...before]);
  expect(workspace.states()).toEqual({ accepted: 5, replaced: 2 });
  expect(rowsOf(workspace, 1)).toEqual([
    '1 non-data',
    '2 staged accepted',
    '3 staged accepted',
    '4 staged replaced accepted',
    '5 staged replaced accepted',
    '6 invalid accepted',
  ]);
}

describe('a corrected attention file', () => {
  it('is delivered in place of its originals, which keep their dispositions, whatever its name, and once however often it is dropped', async () => {
    const { workspace, attention } = await reported();
    expect(attention.rows.map(({ _row }) => _row)).toEqual(['4', '5', '6']);
    const file = corrected(attention, withRightAddress);
    workspace.drop('mended by me.csv', savedCsv(file));
    const { code, report } = await workspace.run();
    expect([code, corrections(report)]).toEqual([0, [MADE]]);
    await closes(workspace);
    expect(workspace.query('select kind, because from decision')).toEqual([
      { kind: 'correct', because: 'mended by me.csv' },
    ]);
    expect(workspace.query('select count(*) as drops from drop_file')).toEqual([{ drops: 1 }]);
    expect(workspace.files('archive/academy')).toEqual(['1-a.csv', 'correction-1-mended by me.csv']);
    expect((await workspace.cli('trace', 'a.csv:4')).stdout).toMatch(
      /corrected by correct of .* decision 1:\s+“mended by me.csv”/,
    );
    // Again, in the same bytes or others, it stages and sends nothing.
    const posts = workspace.posts();
    workspace.drop('c.csv', savedCsv(file));
    workspace.drop('d.csv', savedCsv(file, ';'));
    workspace.drop('e.xlsx', await savedWorkbook(file));
    const again = await workspace.run();
    expect(again.code).toBe(0);
    expect(again.report.corrections.map(({ rows, issues }) => ({ ...rows, issues }))).toEqual([
      { ...MADE, skipped: 0 },
      { ...MADE, skipped: 0, made: 0 },
      { ...MADE, skipped: 0, made: 0 },
    ]);
    expect(workspace.posts()).toBe(posts);
    await closes(workspace);
  });

  it('may be a workbook, also for a source that takes text files alone', async () => {
    const { workspace, attention } = await reportedBy({ match: 'a.csv', delimiter: ',' });
    workspace.drop('1-a.attention (2).xlsx', await savedWorkbook(corrected(attention, withRightAddress)));
    expect((await workspace.run()).code).toBe(0);
    await closes(workspace, GOOD_RECEIVED);
  });

  it('is recognized with another delimiter and order, fewer added columns, and numbers and dates in another notation', async () => {
    const { workspace, attention } = await reportedBy({ match: '*.csv', delimiter: ',' });
    const header = ['_drop', 'Score', 'Completed on', 'Course ID', '_row', 'Email', 'Status'];
    const rows = corrected(attention, withRightAddress).rows.map((row) => ({
      ...row,
      Score: `${row.Score},0`,
      'Completed on': `${row['Completed on']?.replace(' ', 'T')}  `,
    }));
    workspace.drop('b.csv', savedCsv({ header, rows }, ';'));
    expect((await workspace.run()).code).toBe(0);
    await closes(workspace, GOOD_RECEIVED);
  });

  it('leaves unchanged rows as they are, and a rerun sends them', async () => {
    const { workspace, attention } = await reported();
    const [before, posts] = [rowsOf(workspace, 1), workspace.posts()];
    workspace.drop('b.csv', savedCsv(attention));
    const { report, code } = await workspace.run();
    expect([code, corrections(report)]).toEqual([0, [{ ...MADE, made: 0 }]]);
    expect([rowsOf(workspace, 1), workspace.posts()]).toEqual([before, posts]);
    expect(workspace.query(`select 1 from transition where event in ('rerun', 'replaced')`)).toEqual([]);
    expect((await workspace.books()).causes).toContainEqual(
      expect.objectContaining({ code: 'email-invalid', count: 1, example: 'a.csv:6' }),
    );
    await workspace.cli('rerun', '--state', 'rejected,held', '--because', 'as agreed');
    expect(workspace.posts()).toBeGreaterThan(posts);
  });

  it('corrected wrongly is corrected again, by the next attention file of the same drop, and nothing counts twice', async () => {
    const { workspace, attention } = await reported();
    const wrong = corrected(attention, (row) =>
      row._row === '6' ? { ...row, Email: 'still nobody' } : null,
    );
    workspace.drop('b.csv', savedCsv(wrong));
    const { code, report } = await workspace.run();
    expect([code, corrections(report)]).toEqual([1, [{ ...MADE, made: 0, invalid: 1 }]]);
    expect(await workspace.books()).toMatchObject({ attention: 3 });
    expect(report.attention).toBe(1);
    const out = join(workspace.root, 'again');
    await workspace.cli('report', '--file', 'a.csv', '--format', 'csv', '--out', out);
    const again = attentionIn(join(out, readdirSync(out)[0] ?? ''), 1);
    expect(again.header).toEqual(attention.header);
    const row = again.rows.find(({ _row }) => _row === '6');
    expect(row).toMatchObject({ Email: 'still nobody', 'Course ID': 'COURSE-5', _code: 'email-invalid' });
    expect(row?._drop).toMatch(/^1-[0-9a-f]{12}-1$/);
    workspace.drop(
      'c.csv',
      savedCsv(corrected(again, (one) => (one._row === '6' ? withRightAddress(one) : null))),
    );
    workspace.drop(
      'd.csv',
      savedCsv(corrected(attention, (one) => (one._row === '6' ? null : withRightAddress(one)))),
    );
    expect((await workspace.run()).code).toBe(0);
    await closes(workspace);
    expect(
      workspace.query(`select drop_id as "drop", line, submission_id is not null as made from resolution`),
    ).toEqual([{ drop: 1, line: 6, made: 1 }]);
  });

  it('of a row with more cells than the header shows them behind our columns, where they can be corrected', async () => {
    const text = csvOf([exportRow(1), exportRow(2)]).replace(/COURSE-2/, 'COURSE,-2');
    const workspace = await testWorkspace();
    workspace.drop('a.csv', text);
    const { report } = await workspace.run();
    const attention = attentionOf(workspace, report, 1);
    expect(attention.rows).toMatchObject([{ 'Course ID': 'COURSE', 'Completed on': '-2', _row: '3' }]);
    expect(attention.rows[0]?._drop).toMatch(/^1-[0-9a-f]{12}$/);
    const { at, score, status } = exportRow(2);
    // Cells moved behind the last column go back, and nothing remains there.
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

  it('is shown by check and inspect, which write nothing, and refused by the command for single rows', async () => {
    const { workspace, attention } = await reported();
    const result = await workspace.cli('correct', 'mended.csv', '--because', 'mended');
    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining('put it into an inbox')]);
    const path = workspace.drop(
      'b.csv',
      savedCsv(corrected(attention, (row) => (row._row === '5' ? row : withRightAddress(row)))),
    );
    const check = documentOf<{ corrections: unknown; dispositions: unknown }>(
      await workspace.cli('check', path, '--source', 'academy', '--json'),
    );
    expect(check).toMatchObject({
      dispositions: { staged: 2, duplicate: 0, skipped: 1 },
      corrections: [
        {
          sheet: null,
          source: 'academy',
          effects: { rerun: 0, replaced: 1, resolved: 1, unchanged: 1 },
          requests: 2,
          corrects: [{ drop: 1, file: 'a.csv' }],
          rows: [
            { line: 2, drop: 1, originalLine: 4, disposition: 'staged', original: 'replaced' },
            { line: 4, drop: 1, originalLine: 6, disposition: 'staged', original: 'resolved' },
            // What is unchanged comes last.
            { line: 3, drop: 1, originalLine: 5, disposition: 'skipped', original: 'unchanged' },
          ],
        },
      ],
    });
    const { stdout } = await workspace.cli('check', path, '--source', 'academy');
    expect(stdout).toContain(
      'Corrects a.csv (drop 1). 2 rows are corrected. 1 row stays as is; to send a refused row again unchanged, rerun it. 2 requests in all.',
    );
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'the row is the same as line 5 of a.csv, so nothing changes. To correct it, change a cell; to send it again unchanged: registrar rerun.',
    );
    expect((await workspace.cli('inspect', path, '--source', 'academy')).stdout).toContain(
      'attention file of drop 1 (1-',
    );
    expect(workspace.query('select count(*) as drops from drop_file')).toEqual([{ drops: 1 }]);
  });
});
