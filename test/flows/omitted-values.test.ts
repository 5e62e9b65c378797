import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workbookWith } from '../support/cells-workbook.js';
import { testWorkspace, textOf } from '../support/workspace.js';

const CSV = [
  'Email,Course ID,Completed on,Grade',
  'ann@example.org,C-1,2024-03-14,A',
  'bob@example.org,C-1,2024-03-14,85',
  'cid@example.org,C-1,2024-03-14,B+',
  'dan@example.org,C-1,2024-03-14,150',
  '',
].join('\n');

const WORKBOOK = workbookWith([
  ['Email', 'Course ID', 'Completed on', 'Grade'],
  ['eva@example.org', 'C-2', { date: '2024-03-14' }, 'see remarks'],
  ['fay@example.org', 'C-2', { date: '2024-03-14' }, 70],
]);

interface Checked {
  readonly request: {
    readonly body: { readonly data: { readonly attributes: { readonly percentile?: number } } };
  };
}

describe('a score that is no number', () => {
  it('is left out where the source allows it, and every report of the run counts it', async () => {
    const workspace = await testWorkspace({ sources: { academy: { scoreUnreadable: 'left-out' } } });
    const path = workspace.drop('grades.csv', CSV);
    const check = JSON.parse((await workspace.cli('check', path, '--source', 'academy', '--json')).stdout);
    expect(check).toMatchObject({
      dispositions: { staged: 3, invalid: 1 },
      omitted: [{ code: 'score-left-out', column: 'Grade', count: 2 }],
    });
    expect(check.issues.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([
      [5, 'score-invalid'],
      [2, 'score-left-out'],
      [4, 'score-left-out'],
    ]);
    const scores = check.records.map(({ request }: Checked) => request.body.data.attributes.percentile);
    expect(scores).toEqual([undefined, 85, undefined]);

    workspace.drop('remarks.xlsx', WORKBOOK);
    const { report, code } = await workspace.run();
    expect({ code, balanced: report.balanced }).toEqual({ code: 1, balanced: true });
    expect(report).toMatchObject({
      dispositions: { staged: 5, invalid: 1 },
      states: { accepted: 5 },
      attentionRows: 1,
      omitted: [
        {
          code: 'score-left-out',
          column: 'Grade',
          count: 3,
          example: 'grades.csv:2',
          drops: [
            { file: 'grades.csv', count: 2 },
            { file: 'remarks.xlsx', count: 1 },
          ],
        },
      ],
    });
    const folder = String(report.reportFolder);
    const written = (name: string) => textOf({ root: folder }, name);
    const files = workspace.files(`reports`).map((name) => name.split('/').at(-1) ?? '');
    expect(written('report.txt')).toContain(
      'Left out: 3 rows without a value from Grade. The score cannot be read',
    );
    expect(written('report.html')).toContain('data-figure="omitted.score-left-out"');
    const accepted = files.find((name) => name.includes('grades') && name.includes('accepted')) ?? '';
    expect(written(accepted)).toMatch(/ann@example\.org,.*,Grade\r?\n/);

    const { stdout } = await workspace.cli('trace', 'ann@example.org');
    expect(stdout).toContain('score-left-out: Grade "A" is not a score, and is left out');
  });

  it('makes its row invalid otherwise, and the same rows are counted when they are read again', async () => {
    const workspace = await testWorkspace();
    workspace.drop('grades.csv', CSV);
    const { report } = await workspace.run('--no-push');
    expect(report).toMatchObject({ dispositions: { staged: 1, invalid: 3 }, omitted: [] });
    const config = JSON.parse(textOf(workspace, 'registrar.yaml'));
    config.sources[0].scoreUnreadable = 'left-out';
    writeFileSync(join(workspace.root, 'registrar.yaml'), JSON.stringify(config));
    await workspace.cli('restage', 'grades.csv');
    expect(await workspace.books()).toMatchObject({
      balanced: true,
      attentionRows: 1,
      states: { waiting: 3 },
      omitted: [{ column: 'Grade', count: 2 }],
    });
  });
});
