import { describe, expect, it } from 'vitest';
import { csvOf, type ExportRow, exportRow, exportRows, workbookOf } from '../support/exports.js';
import { testWorkspace, textOf } from '../support/workspace.js';

const WITH_OUTCOME = { email: 'Email', course: 'Course ID', at: 'Completed on', status: 'Outcome' };

/** Eighty rows, of which only one behind the first sixty has failed. */
function lateFailure(from: number, words = ['Passed', 'Failed']): ExportRow[] {
  const rows = exportRows(80, from).map((row) => ({ ...row, status: words[0] ?? '' }));
  return rows.with(74, exportRow(from + 74, { status: words[1] ?? '' }));
}

describe('a file with an unmapped column that says who failed', () => {
  it('is refused, wherever the word is, and imported after either of the two remedies', async () => {
    const workspace = await testWorkspace({
      sources: {
        academy: {},
        told: { columns: { status: 'Outcome' } },
        none: { columns: { status: null } },
        dates: { noDate: 'skipped' },
      },
    });
    workspace.drop('late.csv', csvOf(lateFailure(0), WITH_OUTCOME));
    const german = { ...WITH_OUTCOME, status: 'Kurs bestanden (Ja/Nein)' };
    workspace.drop('late.xlsx', workbookOf(lateFailure(100, ['Ja', 'Nein']), german));
    workspace.drop('told.csv', csvOf(lateFailure(200), WITH_OUTCOME), 'told');
    workspace.drop('none.csv', csvOf(lateFailure(300), WITH_OUTCOME), 'none');
    const { status: _, ...undated } = WITH_OUTCOME;
    const open = [exportRow(400), exportRow(401, { at: '' }), exportRow(402, { at: 'soon' })];
    workspace.drop('dates.csv', csvOf(open, undated), 'dates');

    const { code, report } = await workspace.run('--no-push');
    expect(code).toBe(1);
    const files = Object.fromEntries(report.files.map((file) => [file.file, file]));
    expect(files['late.csv']).toMatchObject({ state: 'refused' });
    expect(files['late.csv']?.refusal).toContain('"Failed" (1, first in line 76), "Passed" (79)');
    expect(files['late.xlsx']).toMatchObject({ state: 'refused' });
    const reason = textOf(workspace, 'rejected/academy/late.xlsx.reason.txt');
    expect(reason).toContain('columns: { status: "Kurs bestanden (Ja/Nein)" }');
    expect(reason).toContain('columns: { status: null }');
    expect(files['told.csv']).toMatchObject({ dispositions: { staged: 79, skipped: 1 } });
    expect(files['none.csv']).toMatchObject({ dispositions: { staged: 80 } });
    expect(files['dates.csv']).toMatchObject({ dispositions: { staged: 1, skipped: 1, invalid: 1 } });
    expect(report.balanced).toBe(true);
  });
});
