import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workbookWith } from '../support/cells-workbook.js';
import { testWorkspace, textOf } from '../support/workspace.js';

const HEADER = ['Email', 'Course ID', 'Completed on'];
const csv = (lines: readonly (readonly string[])[]) =>
  `${lines.map((cells) => cells.join(',')).join('\n')}\n`;

describe('a file whose cells are in the wrong place, or mean another day', () => {
  it('is refused with the evidence, and imported once it is corrected as the sentence says', async () => {
    const workspace = await testWorkspace({
      sources: { academy: {}, ordered: { dateOrder: 'month-first' }, forms: {} },
    });
    const ann = ['ann@example.org', 'C-1', '2024-03-14'];
    const bob = ['bob@example.org', 'C-1', '2024-03-15'];
    workspace.drop('sorted.csv', csv([ann, bob, HEADER, ['cid@example.org', 'C-1', '2024-03-16']]));
    workspace.drop(
      'sorted.xlsx',
      workbookWith([
        ['dan@example.org', 'C-1', { date: '2024-03-14' }],
        HEADER,
        ['eva@example.org', 'C-1', { date: '2024-03-16' }],
      ]),
    );
    // Far below the rows that a drop is first judged by, and under a declared order.
    const many = Array.from({ length: 70 }, (_, n) => [`m${n}@example.org`, 'C-2', { date: '2024-05-01' }]);
    workspace.drop(
      'swapped.xlsx',
      workbookWith([HEADER, ...many, ['z@example.org', 'C-2', '01/25/2024']]),
      'ordered',
    );
    const forms = [
      HEADER,
      ['fay@example.org', 'C-3', '04.03.2024'],
      ['gus@example.org', 'C-3', '03/14/2024'],
    ];
    workspace.drop('forms.csv', csv(forms), 'forms');

    const { report } = await workspace.run('--no-push');
    const refusals = Object.fromEntries(report.files.map(({ file, refusal }) => [file, refusal]));
    expect(report).toMatchObject({ balanced: true, attentionFiles: 4, states: { waiting: 0 } });
    expect(refusals['sorted.csv']).toContain(
      'above it are 2 rows that would be records below it, the first in line 1',
    );
    expect(refusals['sorted.xlsx']).toContain('above it is 1 row');
    expect(refusals['swapped.xlsx']).toContain(
      '70 of 70 with a day up to 12 (the first in line 2: 2024-05-01)',
    );
    expect(refusals['swapped.xlsx']).toContain('line 72: "01/25/2024"');
    expect(refusals['forms.csv']).toContain('datePatterns: [d.M.yyyy, M/d/yyyy]');

    const config = JSON.parse(textOf(workspace, 'registrar.yaml'));
    const source = config.sources.find(({ name }: { readonly name: string }) => name === 'forms');
    source.datePatterns = ['M/d/yyyy', 'd.M.yyyy'];
    writeFileSync(join(workspace.root, 'registrar.yaml'), JSON.stringify(config));
    workspace.drop('forms.csv', csv(forms), 'forms');
    workspace.drop('sorted.csv', csv([HEADER, ann, bob, ['cid@example.org', 'C-1', '2024-03-16']]));
    const all = [...many, ['z@example.org', 'C-2', { date: '2024-01-25' }]];
    workspace.drop('swapped.xlsx', workbookWith([HEADER, ...all]), 'ordered');
    const next = await workspace.run('--no-push');
    expect(next.report).toMatchObject({ balanced: true, dispositions: { staged: 76, invalid: 0 } });
  });
});

describe('date and time in two columns', () => {
  it('are one time, and a source that was read without times needs confirmation before it uses them', async () => {
    const workspace = await testWorkspace({ sources: { academy: {}, old: {} } });
    const header = ['Email', 'Course ID', 'Completion Date', 'Completion Time'];
    const day = { date: '2024-03-14' };
    const twice = [
      ['ann@example.org', 'C-1', day, { time: '09:00' }],
      ['ann@example.org', 'C-1', day, { time: '14:30' }],
    ];
    workspace.drop('twice.xlsx', workbookWith([header, ...twice]));
    workspace.drop('days.csv', csv([header.slice(0, 3), ['bob@example.org', 'C-1', '2024-03-14']]), 'old');
    expect((await workspace.run('--no-push')).report.dispositions).toMatchObject({ staged: 3, duplicate: 0 });
    const times = workspace.query<{ at: string }>(
      'select occurred_at as at from submission_record order by at',
    );
    expect(times.map(({ at }) => at)).toEqual([
      '2024-03-13T23:00:00.000Z',
      '2024-03-14T08:00:00.000Z',
      '2024-03-14T13:30:00.000Z',
    ]);

    const timed = csv([header, ['bob@example.org', 'C-1', '2024-03-14', '2:30 PM']]);
    workspace.drop('times.csv', timed, 'old');
    const stopped = await workspace.run('--no-push');
    const [file] = stopped.report.files;
    expect(file).toMatchObject({ file: 'times.csv', state: 'refused' });
    expect(file?.refusal).toContain('completed-at-time came from no column');
    workspace.drop('times.csv', timed, 'old');
    const confirmed = await workspace.run('--no-push', '--confirm', 'old');
    expect(confirmed.report).toMatchObject({ balanced: true, dispositions: { staged: 1 } });
  });
});
