import { describe, expect, it } from 'vitest';
import { DEFAULT_COLUMNS } from '../support/exports.js';
import { setSources } from '../support/set-sources.js';
import { workbookParts } from '../support/workbook-parts.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { writeZip } from '../support/write-zip.js';

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (value: string | number, style = 0) => `<c s="${style}"><v>${value}</v></c>`;

/** A workbook with these courses and scores, each of them a cell; style 1 pads numbers to 19 digits. */
function workbook(rows: readonly { readonly course?: string; readonly score?: string }[]): Buffer {
  const lines = rows.map(({ course = text('C-1'), score = number(80) }, index) =>
    [text(`ann${index}@example.com`), course, text('2024-03-01T10:30:00Z'), score, text('Completed')].join(
      '',
    ),
  );
  const header = Object.values(DEFAULT_COLUMNS).map(text).join('');
  const sheet = [header, ...lines].map((cells) => `<row>${cells}</row>`).join('');
  return writeZip(workbookParts({ sheets: [{ rows: sheet }], formats: ['0'.repeat(19)] }));
}

async function check(workspace: TestWorkspace, path: string) {
  return JSON.parse((await workspace.cli('check', path, '--source', 'academy', '--json')).stdout);
}

describe('a number of a workbook', () => {
  it('is not a course id if it has more than 15 digits, however it is written', async () => {
    const workspace = await testWorkspace();
    const lost = ['1.23456789012345E+18', '1234567890123450', '9.0E+15', '12345678901234567890'];
    const kept = ['123456789012345', '1.5E+3'];
    const courses = [...[...lost, ...kept].map((value) => number(value)), number('1234567890123450', 1)];
    const path = workspace.drop('courses.xlsx', workbook(courses.map((course) => ({ course }))));
    const { issues, records } = await check(workspace, path);
    expect(issues.map(({ line, code }: Record<string, unknown>) => [line, code])).toEqual(
      [2, 3, 4, 5, 8].map((line) => [line, 'identifier-damaged']),
    );
    expect(JSON.stringify(records)).toMatch(/"123456789012345".*"1500"/);
  });
});

describe('scores that never exceed 10', () => {
  const grades = Array.from({ length: 200 }, (_, index) => ({ score: number((index % 21) / 2) }));

  it('need confirmation, and are read by the scale that the source then declares', async () => {
    const workspace = await testWorkspace();
    const path = workspace.drop('grades.xlsx', workbook(grades));
    const unconfirmed = await check(workspace, path);
    expect(unconfirmed.issues[0]).toMatchObject({
      code: 'score-scale-unknown',
      message: expect.stringContaining(
        'Score "0.5" may be out of 1, 10 or 100: no score of the column is above 10',
      ),
      remedy: expect.stringContaining('0-10'),
    });
    setSources(workspace, { scale: '0-10' });
    const { dispositions, records } = await check(workspace, path);
    expect(dispositions).toMatchObject({ staged: 200, invalid: 0 });
    expect(JSON.stringify(records[16])).toContain('80');
  });

  it('are of 100 where one is above 10, and need confirmation in a file of a single row', async () => {
    const workspace = await testWorkspace();
    const above = workspace.drop('above.xlsx', workbook([...grades, { score: number(87) }]));
    const one = workspace.drop('one.xlsx', workbook([{ score: number(8) }]));
    expect((await check(workspace, one)).dispositions).toMatchObject({ staged: 0, invalid: 1 });
    // 0.5 may be 50 or 0.5 of 100, as ever.
    const { issues } = await check(workspace, above);
    expect(new Set(issues.map(({ value }: Record<string, unknown>) => value))).toEqual(new Set(['0.5']));
  });
});
