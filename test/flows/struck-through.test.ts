import { describe, expect, it } from 'vitest';
import { attentionOf, corrected, savedCsv } from '../support/attention-file.js';
import { DEFAULT_COLUMNS } from '../support/exports.js';
import { withPart, workbookParts } from '../support/workbook-parts.js';
import { testWorkspace } from '../support/workspace.js';
import { writeZip } from '../support/write-zip.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Style 1 strikes a cell through, style 2 says that it doesn't. */
const STYLES = `<styleSheet xmlns="${MAIN}"><fonts><font><b/></font><font><strike/></font><font><strike val="0"/></font></fonts><cellStyleXfs><xf fontId="1"/></cellStyleXfs><cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>`;

const run = (text: string, font = '') =>
  `<r><rPr>${font}<sz val="12"/></rPr><t xml:space="preserve">${text}</t></r>`;

/** Shared texts 0 and 1: a part is struck through; a part is bold, and a blank struck through. */
const STRINGS = `<si>${run('p1')}${run('ol', '<strike/>')}${run('d', '<strike/>')}${run('@example.com')}</si><si>${run('C-', '<b/>')}${run(' ', '<strike/>')}${run('2', '<strike val="false"/>')}</si>`;

interface Written {
  readonly text?: string;
  readonly xml?: string;
  readonly shared?: number;
  readonly style?: number;
}

const cell = ({ text, xml, shared, style = 0 }: Written) =>
  shared === undefined
    ? `<c s="${style}" t="inlineStr"><is>${xml ?? `<t>${text}</t>`}</is></c>`
    : `<c s="${style}" t="s"><v>${shared}</v></c>`;
const written = (cells: readonly (string | Written)[]) =>
  `<row>${cells.map((each) => cell(typeof each === 'string' ? { text: each } : each)).join('')}</row>`;

function workbook(rows: readonly (readonly (string | Written)[])[]): Buffer {
  const parts = workbookParts({
    sheets: [{ name: 'Export', rows: [Object.values(DEFAULT_COLUMNS), ...rows].map(written).join('') }],
    strings: STRINGS,
  });
  return writeZip(withPart(parts, { name: 'xl/styles.xml', content: STYLES }));
}

const AT = '2024-03-01T10:30:00Z';
const rest = ['C-1', AT, '80', 'Completed'] as const;

const FILE = workbook([
  ['a1@example.com', ...rest],
  [{ shared: 0 }, ...rest],
  ['a3@example.com', { xml: `${run('C-1')}${run('C-9', '<strike val="1"/>')}` }, AT, '80', 'Completed'],
  ['a4@example.com', 'C-1', AT, { text: '80', style: 1 }, 'Completed'],
  ['a5@example.com', 'C-1', AT, '80', { text: 'In progress', style: 1 }],
  [{ text: 'a6@example.com', style: 2 }, { shared: 1 }, AT, { text: ' ', style: 1 }, 'Completed'],
]);

describe('struck-through text in a workbook', () => {
  it('makes the rows of mapped columns invalid, and no others', async () => {
    const workspace = await testWorkspace();
    const path = workspace.drop('struck.xlsx', FILE);
    const checked = await workspace.cli('check', path, '--source', 'academy', '--json');
    const { dispositions, issues } = JSON.parse(checked.stdout);
    expect(dispositions).toMatchObject({ staged: 2, invalid: 4 });
    expect(issues.map(({ line, code, value }: Record<string, unknown>) => [line, code, value])).toEqual([
      [3, 'text-struck', 'p1~~old~~@example.com'],
      [4, 'text-struck', 'C-1~~C-9~~'],
      [5, 'text-struck', '~~80~~'],
      [6, 'text-struck', '~~In progress~~'],
    ]);
    const inspected = await workspace.cli('inspect', path, '--source', 'academy', '--json');
    expect(JSON.parse(inspected.stdout).rows[2].cells[0]).toEqual({
      error: 'p1old@example.com',
      struck: 'p1~~old~~@example.com',
    });
  });

  it('is still known where rows are read again from the ledger, until a person writes what counts', async () => {
    const workspace = await testWorkspace();
    workspace.drop('struck.xlsx', FILE);
    const { report } = await workspace.run();
    expect(report).toMatchObject({
      balanced: true,
      dispositions: { staged: 2, invalid: 4 },
      causes: [{ code: 'text-struck', count: 4 }],
    });
    const restaged = await workspace.cli('restage', '1', '--because', 'look again', '--json');
    expect(restaged.stdout).toContain('text-struck');
    expect(workspace.query('select count(*) as n from submission')).toEqual([{ n: 2 }]);

    const attention = attentionOf(workspace, report, 1);
    expect(attention.rows.map((row) => row.Email)).toContain('p1~~old~~@example.com');
    const correction = corrected(attention, (row) => {
      if (row.Email === 'p1~~old~~@example.com') return { ...row, Email: 'p1old@example.com' };
      return row.Score === '~~80~~' ? { ...row, Score: '85' } : row;
    });
    workspace.drop('mended.csv', savedCsv(correction));
    expect((await workspace.run()).report).toMatchObject({
      balanced: true,
      corrections: [{ rows: { made: 2, invalid: 0 }, issues: 0 }],
    });
  });
});
