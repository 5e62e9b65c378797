import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_COLUMNS, exportRow } from '../support/exports.js';
import { type SheetLine, sheetsOf } from '../support/sheets-of.js';
import { testWorkspace, textOf } from '../support/workspace.js';

const HEADER = Object.values(DEFAULT_COLUMNS);
const line = (n: number) => {
  const { email, course, at, score, status } = exportRow(n);
  return [email, course, at, score, status];
};
const formulas = (n: number) => ['A', 'B', 'C', 'D', 'E'].map((column) => ({ formula: `Raw!${column}${n}` }));

/** Rows 2 and 3 of the first sheet, one of them hidden; row 1 of the second goes on. */
const CONTINUED: Readonly<Record<string, readonly SheetLine[]>> = {
  Export: [HEADER, line(1), { hidden: line(2) }],
  'Export (2)': [line(3), [...line(4).slice(0, 3), { formula: 'Raw!D4' }, 'Completed']],
  Notes: [['Made by hand']],
};

describe('a workbook that shows more than it keeps', () => {
  it('has its rows of formulas without values among those that need attention', async () => {
    const workspace = await testWorkspace();
    workspace.drop('scripted.xlsx', sheetsOf({ Export: [HEADER, formulas(2), formulas(3)], Raw: [['a']] }));
    const { code, report } = await workspace.run();
    expect(code).toBe(1);
    expect(report).toMatchObject({
      balanced: true,
      dispositions: { invalid: 2, 'non-data': 1, staged: 0 },
      causes: [{ code: 'formula-unsaved', count: 2, remedy: expect.stringContaining('save it') }],
      files: [{ sheetsLeft: [{ name: 'Raw', rows: 1 }] }],
    });
  });

  it('needs confirmation if it continues on other sheets, and is then imported whole, reported by sheet and line', async () => {
    const workspace = await testWorkspace();
    const path = workspace.drop('export.xlsx', sheetsOf(CONTINUED));
    const unconfirmed = await workspace.cli('check', path, '--source', 'academy', '--json');
    const [issue] = JSON.parse(unconfirmed.stdout).issues;
    expect(issue).toMatchObject({ code: 'sheet-uncounted', value: 'Export (2)' });

    const sheets = JSON.parse(/sheets: (\[.*?\])/.exec(issue.remedy)?.[1] ?? '');
    const config = JSON.parse(textOf(workspace, 'registrar.yaml'));
    config.sources[0].sheets = sheets;
    writeFileSync(join(workspace.root, 'registrar.yaml'), JSON.stringify(config));
    const checked = await workspace.cli('check', path, '--source', 'academy');
    expect(checked.stdout).toContain('3 staged, 1 invalid, 1 non-data');
    expect(checked.stdout).toContain('1 of 4 rows is hidden in the sheet (a filter?)');
    expect(checked.stdout).toContain('sheet not read: "Notes"');
    expect(checked.stdout).toMatch(/Export \(2\):2 +formula-unsaved/);

    const { report } = await workspace.run();
    expect(report).toMatchObject({ balanced: true, states: { accepted: 3 } });
    expect(report.files).toMatchObject([
      { file: 'export.xlsx', hiddenRows: 1, sheetsLeft: [{ name: 'Notes' }] },
      { file: 'export.xlsx#Export (2)', hiddenRows: 0 },
    ]);
    expect(report.causes).toMatchObject([{ example: 'export.xlsx#Export (2):2' }]);
    const traced = await workspace.cli('trace', 'export.xlsx#Export (2):2');
    expect(traced.stdout).toContain('  export.xlsx#Export (2):2 (drop 2 of academy');
    expect(traced.stdout).toContain('formula whose value was not saved');
  });
});
