import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workbookWith } from '../support/cells-workbook.js';
import { setSources } from '../support/set-sources.js';
import { documentOf, testWorkspace, textOf } from '../support/workspace.js';

/** A retake, and a score that the other half of a join lacks. */
const CSV = [
  'Email,Course ID,Completed on,Score',
  'ann@example.org,C-1,2024-03-14,90',
  'bob@example.org,C-1,2024-03-14,70',
  'ann@example.org,C-1,2024-03-14,40',
  'cid@example.org,C-1,2024-03-14,',
  'cid@example.org,C-1,2024-03-14,85',
  'bob@example.org,C-1,2024-03-14,70',
  '',
].join('\n');

const WORKBOOK = workbookWith([
  ['Email', 'Course ID', 'Completed on', 'Final grade'],
  ['eva@example.org', 'C-2', { date: '2024-03-14' }, '45%'],
  ['eva@example.org', 'C-2', { date: '2024-03-14' }, '80%'],
]);

const SAME_KEY = 'same-key-differs';

interface Checked {
  readonly line: number;
  readonly code: string;
}

describe('a file that gives one completion two scores', () => {
  it('needs a decision: check says so before, and the report with the lines', async () => {
    const workspace = await testWorkspace({ sources: { academy: {}, campus: {} } });
    const path = workspace.drop('retakes.csv', CSV);
    const check = documentOf<{ issues: Checked[]; records: Checked[] }>(
      await workspace.cli('check', path, '--source', 'academy', '--json'),
    );
    expect(check).toMatchObject({ dispositions: { staged: 1, duplicate: 1, invalid: 4, amended: 0 } });
    expect(check.issues.map(({ line, code }) => [line, code])).toEqual(
      [2, 4, 5, 6].map((line) => [line, SAME_KEY]),
    );
    expect(check.issues[0]).toMatchObject({ column: 'Score', value: '90' });
    expect(check.records.map(({ line }) => line)).toEqual([3]);
    const shown = await workspace.cli('check', path, '--source', 'academy');
    expect(shown.stdout).toContain('Score is 90 here and 40 on line 4');

    workspace.drop('book.xlsx', WORKBOOK, 'campus');
    const { report, code } = await workspace.run();
    expect({ code, balanced: report.balanced }).toEqual({ code: 1, balanced: true });
    expect(report).toMatchObject({
      dispositions: { staged: 1, duplicate: 1, invalid: 6 },
      states: { accepted: 1 },
      causes: [{ code: SAME_KEY, count: 6, example: expect.stringMatching(/:2$/) }],
    });
    expect(report.causes[0]?.remedy).toContain('sameKey');
    const folder = String((report as unknown as { reportFolder: string }).reportFolder);
    const written = (name: string) => textOf({ root: folder }, name);
    expect(written('report.txt')).toContain(SAME_KEY);
    expect(written('report.html')).toContain(SAME_KEY);
    const files = readdirSync(folder).filter((name) => name.endsWith('.attention.csv'));
    const attention = files.map(written).join('\n');
    expect(attention).toContain('Score is 85 here and empty on line 5');
    expect(attention).toContain('Final grade is 45 here and 80 on line 3');
  });

  it('is delivered once its rows are dismissed but one, and the file is read again', async () => {
    const workspace = await testWorkspace();
    workspace.drop('retakes.csv', CSV);
    await workspace.run();
    await workspace.cli(
      'dismiss',
      '--row',
      'retakes.csv:4',
      '--row',
      'retakes.csv:5',
      '--because',
      'a retake',
    );
    const again = documentOf(await workspace.cli('restage', 'retakes.csv', '--json'));
    expect(again).toMatchObject({ open: 2, made: 2, still: 0 });
    const { report, code } = await workspace.run();
    expect({ code, balanced: report.balanced, attention: report.attention }).toEqual({
      code: 0,
      balanced: true,
      attention: 0,
    });
    expect(scores(workspace)).toEqual(['ann 90', 'bob 70', 'cid 85']);
  });

  it('sends the best where the source says so, and says which rows it skipped', async () => {
    const workspace = await testWorkspace({ sources: { academy: { sameKey: 'best' } } });
    workspace.drop('retakes.csv', CSV);
    const { report, code } = await workspace.run();
    expect({ code, balanced: report.balanced }).toEqual({ code: 0, balanced: true });
    expect(report.dispositions).toMatchObject({ staged: 3, duplicate: 1, skipped: 2 });
    expect(scores(workspace)).toEqual(['ann 90', 'bob 70', 'cid 85']);
    const { stdout } = await workspace.cli('trace', 'retakes.csv:4');
    expect(stdout).toContain('Score is 40 here and 90 on line 2');
  });

  it('sends the last where the source says so', async () => {
    const workspace = await testWorkspace({ sources: { academy: { sameKey: 'last' } } });
    workspace.drop('retakes.csv', CSV);
    const { code } = await workspace.run();
    expect(code).toBe(0);
    expect(scores(workspace)).toEqual(['ann 40', 'bob 70', 'cid 85']);
  });

  it('ends as usual where the process dies while its rows are being refused', async () => {
    const [killed, usual] = [await testWorkspace(), await testWorkspace()];
    for (const workspace of [killed, usual]) {
      setSources(workspace, { sameKey: 'best' });
      workspace.drop('retakes.csv', CSV);
    }
    const run = await killed.startWith({ REGISTRAR_FAILPOINT: 'page-committed' }, 'run', '--no-push').ended;
    expect(run.code).toBeNull();
    expect(killed.query("select 1 from issue where code = 'same-key-lower'")).toHaveLength(2);
    expect(killed.query("select 1 from drop_file where state = 'published'")).toEqual([]);
    const ends = await Promise.all([killed, usual].map(async (workspace) => (await workspace.run()).report));
    expect(ends[0]?.dispositions).toEqual(ends[1]?.dispositions);
    expect(ends[0]).toMatchObject({ balanced: true, states: { accepted: 3 } });
    expect(scores(killed)).toEqual(scores(usual));
  });
});

function scores({ sandbox }: Awaited<ReturnType<typeof testWorkspace>>): string[] {
  const held = sandbox.platform.completions().map(({ attributes }) => ({ ...attributes }));
  return held.map((one) => `${one['user-id'].split('@')[0]} ${one.percentile}`).sort();
}
