import { expect, it } from 'vitest';
import { csvOf, exportRow } from '../support/exports.js';
import { testWorkspace } from '../support/workspace.js';

const HEADER = 'Email,Completed on,Course Name,Course ID,Comment';

it('a row whose cells have moved is invalid and shows each moved cell, and the others are sent', async () => {
  const workspace = await testWorkspace();
  const lines = [
    HEADER,
    'a@example.org,2024-03-14 08:00,Fire,F-1,',
    'b@example.org,2024-03-14 08:00,Health, Safety,HS-1,',
    'c@example.org,2024-03-14 08:00,Fire,late',
    'd@example.org,2024-03-14 08:00,"Fire,"F-1,x',
    'e@example.org,2024-03-14 08:00,First aid,FA-2,late',
  ];
  workspace.drop('moved.csv', `${lines.join('\n')}\n`);
  const { code, report } = await workspace.run();
  expect({ code, dispositions: report.dispositions }).toMatchObject({
    code: 1,
    dispositions: { staged: 2, invalid: 3 },
  });
  const issues = workspace.query<{ line: number; message: string }>(
    "select line, message from issue where code = 'row-ragged' order by line",
  );
  expect(issues.map(({ line }) => line)).toEqual([3, 4, 5]);
  expect(issues[0]?.message).toContain('6 cells, nearly all others 5: Course ID would be "Safety"');

  // Read again, the row has still lost a cell.
  const { stdout } = await workspace.cli('restage', '1');
  expect(stdout).toContain('3 would still be invalid');
});

it('a file that is written in its own way is read as its source says', async () => {
  const workspace = await testWorkspace({ sources: { academy: { delimiter: '^' } } });
  const row = exportRow(1, { course: '"5"" screen^1"' });
  workspace.drop('a.csv', csvOf([row], undefined, '^'));
  expect((await workspace.run()).report.dispositions).toMatchObject({ staged: 1 });
  expect(workspace.query('select content from submission_record')).toEqual([{ content: '5" screen^1' }]);
});
