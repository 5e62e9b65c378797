import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, DEFAULT_COLUMNS, exportRows } from '../support/exports.js';
import { writeDrop } from '../support/open-content.js';
import { documentOf, type TestWorkspace, testWorkspace, textOf } from '../support/workspace.js';

const OTHER_COLUMNS = { ...DEFAULT_COLUMNS, at: 'Finish Date' };
const DIFFERENCE = 'completed-at came from "Completed on" and would now come from "Finish Date"';

/** A workspace whose source has delivered three rows under the usual header. */
async function deliveredOnce(): Promise<TestWorkspace> {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.run();
  return workspace;
}

describe('a header that maps differently from the last', () => {
  it('refuses the file before a row is staged, names the difference, and ends with 1', async () => {
    const workspace = await deliveredOnce();
    workspace.drop('b.csv', csvOf(exportRows(4), OTHER_COLUMNS));
    const run = await workspace.run();
    expect(run.code).toBe(1);
    expect(run.report.files).toMatchObject([{ file: 'b.csv', state: 'refused' }]);
    expect(run.report.files[0]?.refusal).toContain(DIFFERENCE);
    expect(textOf(workspace, 'rejected/academy/b.csv.reason.txt')).toContain(
      'registrar run --confirm academy',
    );
    expect(workspace.query('select distinct drop_id from row')).toEqual([{ drop_id: 1 }]);
    expect(workspace.posts()).toBe(3);
  });

  it('is shown by check and by inspect, which leave the ledger unchanged', async () => {
    const workspace = await deliveredOnce();
    const file = writeDrop(csvOf(exportRows(4), OTHER_COLUMNS), 'b.csv');
    const check = await workspace.cli('check', file, '--source', 'academy', '--json');
    expect(check.code).toBe(1);
    const seen = {
      header: { mapped: { 'completed-at': 'Finish Date' } },
      issues: [{ code: 'header-drift' }],
    };
    expect(documentOf<unknown>(check)).toMatchObject({ ...seen, dispositions: null, records: [] });
    const inspect = await workspace.cli('inspect', file, '--source', 'academy', '--json');
    expect(inspect.code).toBe(0);
    expect(documentOf<unknown>(inspect)).toMatchObject(seen);
    expect((await workspace.cli('inspect', file, '--source', 'academy')).stdout).toContain(DIFFERENCE);
    expect(documentOf<unknown>(await workspace.cli('inspect', file, '--json'))).toMatchObject({ issues: [] });
    expect(workspace.query('select * from decision')).toEqual([]);
  });

  it('is imported once it is confirmed, and needs no second confirmation, whichever of the two comes', async () => {
    const workspace = await deliveredOnce();
    workspace.drop('b.csv', csvOf(exportRows(4), OTHER_COLUMNS));
    await workspace.run();
    const { root } = workspace;
    renameSync(join(root, 'rejected/academy/b.csv'), join(root, 'inbox/academy/b.csv'));
    const confirmed = await workspace.run('--confirm', 'academy');
    expect(confirmed.code).toBe(0);
    expect(confirmed.report.dispositions).toMatchObject({ staged: 1, duplicate: 3 });
    expect(workspace.query('select kind from decision')).toEqual([{ kind: 'confirm' }]);

    workspace.drop('c.csv', csvOf(exportRows(5), OTHER_COLUMNS));
    expect((await workspace.run()).report.dispositions).toMatchObject({ staged: 1, duplicate: 4 });
    workspace.drop('d.csv', csvOf(exportRows(6)));
    expect((await workspace.run()).code).toBe(1);
    workspace.drop('e.csv', csvOf(exportRows(7)));
    expect((await workspace.run('--confirm', 'academy')).code).toBe(0);
    workspace.drop('f.csv', csvOf(exportRows(8), OTHER_COLUMNS));
    expect((await workspace.run()).code).toBe(0);
    expect(workspace.query('select kind from decision')).toHaveLength(2);
  });

  it('does not affect another source, or a file whose columns are only in another order', async () => {
    const workspace = await testWorkspace({ sources: { academy: {}, college: {} } });
    workspace.drop('a.csv', csvOf(exportRows(3)));
    await workspace.run();
    workspace.drop('b.csv', csvOf(exportRows(3), OTHER_COLUMNS), 'college');
    const { status, ...rest } = DEFAULT_COLUMNS;
    workspace.drop('c.csv', csvOf(exportRows(4), { status: status ?? '', ...rest }));
    const run = await workspace.run();
    expect(run.report.files).toMatchObject([{ state: 'published' }, { state: 'published' }]);
  });
});

it('a file that has lost content-title, which is never sent, is imported and not refused', async () => {
  const workspace = await testWorkspace();
  const titled = (count: number) =>
    csvOf(exportRows(count)).replace(/$/gm, ',Fire safety').replace(',Fire safety', ',Course Title');
  workspace.drop('a.csv', titled(2).trimEnd());
  await workspace.run();
  expect(workspace.query<{ mapping: string }>('select mapping from drop_file')[0]?.mapping).toContain(
    'content-title',
  );
  workspace.drop('b.csv', csvOf(exportRows(3)));
  const run = await workspace.run();
  expect(run.code).toBe(0);
  expect(run.report.files).toMatchObject([{ file: 'b.csv', state: 'published' }]);
});
