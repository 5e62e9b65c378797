import { expect, it } from 'vitest';
import { testConsole } from '../../../support/console.js';
import { csvOf, exportRow, exportRows } from '../../../support/exports.js';
import { testWorkspace } from '../../../support/workspace.js';
import { workspaceContext } from '../../../support/workspace-context.js';

const ADA = 'ada.lovelace@example.org';

/** A file of which one row is invalid and one rejected, and one that was refused for its content. */
async function twoFiles() {
  const workspace = await testWorkspace({ sandbox: { learners: { unknown: [ADA] } } });
  const rows = [...exportRows(2), exportRow(5, { email: ADA }), exportRow(6, { at: 'never' })];
  workspace.drop('March 2026.csv', csvOf(rows));
  workspace.drop('<img src=x onerror=alert(1)>.csv', `${ADA};C-1\n${ADA};C-2\n`);
  await workspace.run();
  const context = await workspaceContext(workspace);
  const { visitor, failures } = await testConsole(() => context);
  return { workspace, visitor: visitor(), failures };
}

const textOf = async (response: Response) => {
  expect(response.status).toBe(200);
  return response.text();
};

it('the list shows the outcome of each file’s rows, and leads to those that need attention', async () => {
  const { visitor, failures } = await twoFiles();
  const page = await textOf(await visitor.get('/files'));
  expect(page).toContain('<bdi>March 2026.csv</bdi>');
  expect(page).toContain('<data value="2" data-of-file="states.accepted">2</data> accepted');
  expect(page).toContain('<a href="/attention/rows?file=March+2026.csv&amp;states=rejected">');
  expect(page).toContain('<a href="/attention/rows?file=March+2026.csv&amp;states=invalid">');
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;.csv');
  expect(page).not.toContain('<img src');
  expect(page).toContain('refused');
  const refused = await textOf(await visitor.get('/files?state=refused'));
  expect(refused).not.toContain('<bdi>March');
  expect(refused).toContain('onerror');
  expect(await textOf(await visitor.get('/files?name=none%20such'))).toContain('No file matches.');
  expect(failures).toEqual([]);
});

it('a file’s page shows the file, and the actions for a refused one', async () => {
  const { visitor, workspace, failures } = await twoFiles();
  const [march] = workspace.query<{ id: number; sha256: string }>(
    "select drop_id as id, sha256 from drop_file where file_name like 'March%'",
  );
  const page = await textOf(await visitor.get(`/files/${march?.id}`));
  expect(page).toContain('<h1>March 2026.csv</h1>');
  expect(page).toContain(march?.sha256);
  expect(page).toContain('<bdi>Completed on</bdi>');
  expect(page).toContain(`href="/decide/restage?drop=${march?.id}"`);
  const [refused] = workspace.query<{ id: number }>(
    "select drop_id as id from drop_file where state = 'refused'",
  );
  const other = await textOf(await visitor.get(`/files/${refused?.id}`));
  expect(other).toContain('<h2 id="refusal-title">Refused</h2>');
  expect(other).toContain('rejected/academy/');
  for (const path of ['/files/999', '/files/0', '/files/abc', '/files/99999999999999999999']) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
  }
  expect(failures).toEqual([]);
});
