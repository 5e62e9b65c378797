import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows, workbookOf } from '../support/exports.js';
import { statsOf } from '../support/sandbox-stats.js';
import { testWorkspace, textOf } from '../support/workspace.js';

describe('one run', () => {
  it('delivers a CSV and a workbook, and its numbers match the platform’s', async () => {
    const workspace = await testWorkspace();
    workspace.drop('january.csv', csvOf(exportRows(6)));
    workspace.drop('february.xlsx', workbookOf(exportRows(5, 100)));
    const { code, report } = await workspace.run();
    const { platform } = workspace.sandbox;

    expect({ code, exit: report.exit, balanced: report.balanced }).toEqual({
      code: 0,
      exit: 'done',
      balanced: true,
    });
    expect(report.dispositions).toMatchObject({ staged: 11, 'non-data': 2, invalid: 0 });
    expect(report.rows).toBe(13);
    expect(report.states).toMatchObject({ accepted: 11, waiting: 0, sending: 0 });
    expect(report.attempts.total).toBe(workspace.posts());
    expect(report.attempts.accepted).toBe(platform.completions().length);
    expect(statsOf(platform)).toMatchObject({ overQuota: 0, repeatedWrites: 0 });
    expect(new Set(platform.completions().map(({ attributes }) => attributes['user-id']))).toEqual(
      new Set([...exportRows(6), ...exportRows(5, 100)].map(({ email }) => email)),
    );
    expect(workspace.files('archive')).toEqual(['academy/1-january.csv', 'academy/2-february.xlsx']);
    expect([...workspace.files('inbox'), ...workspace.files('processing')]).toEqual([]);
  });

  it('sends what the specification shows, and no more', async () => {
    const workspace = await testWorkspace();
    workspace.drop('one.csv', csvOf([exportRow(1, { at: '2024-01-05 09:30:00', score: 92.5 })]));
    await workspace.run();
    expect(workspace.sandbox.platform.received.at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/v2/completions',
    });
    expect(workspace.sandbox.platform.received.at(-1)?.attributes).toEqual({
      'user-id': 'learner1@example.org',
      'user-identifier-type': 'Email',
      'content-id': 'COURSE-1',
      'content-id-type': 'ExternalId',
      'content-type': 'course',
      'completed-at': '2024-01-05T08:30:00.000Z',
      percentile: 92.5,
    });
  });

  it('exits 1 when a row needs attention, says which and why, and delivers the others', async () => {
    const workspace = await testWorkspace();
    const rows = [exportRow(1), exportRow(2, { email: 'nobody at all' }), exportRow(3, { status: 'Open' })];
    workspace.drop('mixed.csv', csvOf([...rows, exportRow(4, { at: 'soon' })]));
    const { code, report } = await workspace.run();
    expect({ code, exit: report.exit }).toEqual({ code: 1, exit: 'attention' });
    expect(report.dispositions).toMatchObject({ staged: 1, invalid: 3 });
    expect(report.states.accepted).toBe(1);
    expect(report.causes.map(({ code, example }) => [code, example])).toEqual([
      ['email-invalid', 'mixed.csv:3'],
      ['status-unknown', 'mixed.csv:4'],
      ['timestamp-invalid', 'mixed.csv:5'],
    ]);
    expect(report.causes.every(({ remedy }) => remedy.length > 0)).toBe(true);
  });

  it('leaves a report that only its owner can read', async () => {
    const workspace = await testWorkspace();
    workspace.drop('march.csv', csvOf([exportRow(1), exportRow(2, { email: '=HYPERLINK("x")' })]));
    const { report } = await workspace.run();
    const folder = report.reportFolder ?? '';
    expect(folder).toContain(join(workspace.root, 'reports'));
    expect(workspace.files('reports').map((path) => path.split('/')[1])).toEqual([
      '1-march.accepted.csv',
      '1-march.attention.csv',
      'report.html',
      'report.json',
      'report.txt',
      'run-1.attention.xlsx',
    ]);
    for (const path of workspace.files('reports'))
      expect(modeOf(join(workspace.root, 'reports', path))).toBe(0o600);
    expect(modeOf(join(workspace.root, 'archive/academy/1-march.csv'))).toBe(0o600);
    if (workspace.database === null) expect(modeOf(join(workspace.root, 'registrar.db'))).toBe(0o600);
    for (const path of ['reports', 'archive', 'processing', 'rejected', 'inbox']) {
      expect([path, modeOf(join(workspace.root, path))]).toEqual([
        path,
        path === 'inbox' ? expect.anything() : 0o700,
      ]);
    }
    expect(modeOf(folder)).toBe(0o700);

    const [, attention = ''] = workspace.files('reports');
    const lines = textOf(workspace, join('reports', attention)).split('\r\n');
    expect(lines[0]).toBe(
      '\ufeffEmail,Course ID,Completed on,Score,Status,_row,_state,_code,_detail,_remedy,_status,_attempts,_error_id,_drop',
    );
    expect(lines[1]).toMatch(/^"'=HYPERLINK\(""x""\)",COURSE-2,.*,3,invalid,email-invalid,/);
  });

  it('with nothing to do prints that, exits 0 and writes no report', async () => {
    const workspace = await testWorkspace();
    const { code, stdout, stderr } = await workspace.cli('run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^No new file was imported, .*\.\n$/);
    expect(workspace.files('reports')).toEqual([]);
  });

  it('without pushing stages only, and the next run delivers', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(5)));
    const staged = await workspace.run('--no-push');
    expect({ code: staged.code, states: staged.report.states.waiting }).toEqual({ code: 0, states: 5 });
    expect(workspace.sandbox.platform.received).toEqual([]);
    const pushed = await workspace.run();
    expect(pushed.report.states).toMatchObject({ accepted: 5, waiting: 0 });
  });

  it('imports and delivers only the named sources', async () => {
    const workspace = await testWorkspace({ sources: { academy: {}, campus: {} } });
    workspace.drop('a.csv', csvOf(exportRows(2)), 'academy');
    workspace.drop('b.csv', csvOf(exportRows(3, 10)), 'campus');
    const { report } = await workspace.run('--source', 'campus');
    expect(report.files.map(({ file }) => file)).toEqual(['b.csv']);
    expect(workspace.files('inbox')).toEqual(['academy/a.csv']);
  });

  it('ends in time with --max-duration, and the remaining rows wait', async () => {
    const quota = { requests: 10, perMs: 1_000 };
    const workspace = await testWorkspace({ sandbox: { quota } });
    workspace.drop('a.csv', csvOf(exportRows(60)));
    const { code, report } = await workspace.run('--max-duration', '800ms');
    expect(code).toBe(0);
    expect(report.states.waiting).toBeGreaterThan(40);
    expect(report.states.sending).toBe(0);
    expect(report.states.accepted).toBe(workspace.sandbox.platform.completions().length);
  });
});

describe('after an earlier delivery', () => {
  it('the same bytes again, under any name, stage nothing and send nothing', async () => {
    const workspace = await testWorkspace();
    workspace.drop('first.csv', csvOf(exportRows(10)));
    await workspace.run();
    const requests = workspace.sandbox.platform.received.length;
    workspace.drop('first.csv', csvOf(exportRows(10)));
    workspace.drop('second name.csv', csvOf(exportRows(10)));
    const { code, report } = await workspace.run();
    expect({ code, rows: report.rows, attempts: report.attempts.total }).toEqual({
      code: 0,
      rows: 0,
      attempts: 0,
    });
    expect(workspace.sandbox.platform.received).toHaveLength(requests);
    expect(report.files).toMatchObject([{ file: 'first.csv', repeatedArrivals: 2 }]);
    const { stdout } = await workspace.cli('report', '--run', '2');
    expect(stdout).toContain('same file again: nothing new');
    expect(workspace.files('inbox')).toEqual([]);
  });

  it('a repeated file is listed under the name that it has now', async () => {
    const workspace = await testWorkspace();
    workspace.drop('march.csv', csvOf(exportRows(2)));
    await workspace.run();
    workspace.drop('april.csv', csvOf(exportRows(2)));
    const { report } = await workspace.run();
    expect(report.files).toMatchObject([{ file: 'april.csv', firstFile: 'march.csv', repeatedArrivals: 1 }]);
    const { stdout } = await workspace.cli('report', '--run', '2');
    expect(stdout).toMatch(/^april\.csv .*same file again: nothing new$/m);
    const { files } = await workspace.books();
    expect(files).toMatchObject([{ file: 'march.csv' }]);
  });

  it('only the new rows of an overlapping export are sent', async () => {
    const workspace = await testWorkspace();
    workspace.drop('week 1.csv', csvOf(exportRows(6)));
    await workspace.run();
    workspace.drop('week 2.csv', csvOf(exportRows(6, 4)));
    const { report } = await workspace.run();
    expect(report.dispositions).toMatchObject({ staged: 4, duplicate: 2 });
    expect(report.attempts.total).toBe(4);
    expect(workspace.sandbox.platform.completions()).toHaveLength(10);
    expect(statsOf(workspace.sandbox.platform).repeatedWrites).toBe(0);
  });

  const rows = [...exportRows(8), exportRow(50, { course: 'Führung-1' })];
  const others = {
    status: 'Completion status',
    at: 'Completion Date',
    score: 'Grade',
    email: 'E-Mail-Adresse',
    course: 'Course Code',
  };
  const copies = {
    'utf-16.csv': Buffer.from(`\ufeff${csvOf(rows)}`, 'utf16le'),
    'windows-1252 and semicolons.csv': Buffer.from(csvOf(rows, undefined, ';'), 'latin1'),
    'other columns in another order.csv': csvOf(rows, others),
    'crlf and byte-order mark.csv': `\ufeff${csvOf(rows).replaceAll('\n', '\r\n')}`,
    'workbook.xlsx': workbookOf(rows),
    'workbook with other columns.xlsx': workbookOf(rows, others),
    'rows in another order.csv': csvOf(rows.toReversed()),
  };

  it('the same records in another encoding, order, notation or format are duplicates', async () => {
    const workspace = await testWorkspace();
    workspace.drop('original.csv', csvOf(rows));
    await workspace.cli('run', '--no-push');
    for (const [name, content] of Object.entries(copies)) workspace.drop(name, content);
    // Other headers need confirmation; the keys don't depend on them.
    const { report } = await workspace.run('--no-push', '--confirm', 'academy');
    const found = Object.fromEntries(report.files.map(({ file, dispositions }) => [file, dispositions]));
    const expected = Object.keys(copies).map((name) => [name, { duplicate: 9, 'non-data': 1 }]);
    expect(found).toMatchObject(Object.fromEntries(expected));
  });

  it('a correction of what was accepted is held until a person sends it', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf([exportRow(1, { score: 40 })]));
    await workspace.run();
    workspace.drop('b.csv', csvOf([exportRow(1, { score: 80 })]));
    const corrected = await workspace.run();
    expect(corrected.code).toBe(1);
    expect(corrected.report.causes).toMatchObject([{ code: 'amended', state: 'held', example: 'b.csv:2' }]);
    const rerun = await workspace.cli('rerun', '--reason', 'amended', '--json');
    expect(rerun.code).toBe(0);
    expect(workspace.sandbox.platform.completions()).toMatchObject([
      { writes: 2, attributes: { percentile: 80 } },
    ]);
  });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

it('a run by hand counts as manual through a pipe too, and a run of cron doesn’t', async () => {
  const workspace = await testWorkspace();
  await workspace.cliWith({ TERM: 'xterm-256color' }, 'run');
  await workspace.cli('run');
  expect(workspace.query('select trigger from run order by run_id')).toEqual([
    { trigger: 'manual' },
    { trigger: 'cron' },
  ]);
  expect((await workspace.cli('status')).stdout).toMatch(/^ +2 +automatic .*\n +1 +by hand /m);
});
