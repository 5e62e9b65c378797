import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asAttachment } from '../../src/console/pages/files/file.js';
import { testConsole } from '../support/console.js';
import { csvOf, exportRow, exportRows, workbookOf } from '../support/exports.js';
import { peopledConsole } from '../support/peopled-console.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { testWorkspace, textOf, until } from '../support/workspace.js';
import { workspaceContext } from '../support/workspace-context.js';
import { writeZip } from '../support/write-zip.js';

const NAME = 'März "2026"; <b>.csv';
const CONTENT = csvOf([...exportRows(3), exportRow(6, { at: 'never' })]);

const deliveredWorkspace = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ root });
  workspace.drop(NAME, CONTENT);
  await workspace.run();
  workspace.drop('aside.csv', 'ada@example.org;C-1\nada@example.org;C-2\n');
  workspace.drop('book.xlsx', workbookOf(exportRows(2, 50)));
  await workspace.run();
  return workspace;
});

async function delivered() {
  const workspace = await deliveredWorkspace();
  const context = await workspaceContext(workspace);
  const { visitor, failures, url } = await testConsole(() => context);
  const idOf = (state: string, format = 'csv') =>
    workspace.query<{ id: number }>(
      `select drop_id as id from drop_file where state = '${state}' and format = '${format}'`,
    )[0]?.id;
  return { workspace, context, visitor: visitor(), failures, url, idOf };
}

it('a HEAD request leaves no file open', async () => {
  const { visitor, url, idOf } = await delivered();
  const path = `/files/${idOf('published')}/original`;
  expect((await visitor.get(path)).status).toBe(200);
  const before = readdirSync('/proc/self/fd').length;
  for (let turn = 0; turn < 20; turn += 1) {
    const head = await fetch(new URL(path, url), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      String(Buffer.byteLength(CONTENT)),
    ]);
  }
  await until('all is closed', () => readdirSync('/proc/self/fd').length < before + 10);
});

it('the original is downloaded unchanged, as an attachment that is cached nowhere', async () => {
  const { visitor, idOf, failures } = await delivered();
  const got = await visitor.get(`/files/${idOf('published')}/original`);
  expect(got.status).toBe(200);
  expect(await got.text()).toBe(CONTENT);
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'text/csv',
    'content-length': String(Buffer.byteLength(CONTENT)),
    'content-disposition': asAttachment(NAME),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  const book = await visitor.get(`/files/${idOf('published', 'xlsx')}/original`);
  expect(book.headers.get('content-type')).toContain('spreadsheetml');
  expect(Buffer.from(await book.arrayBuffer())).toEqual(workbookOf(exportRows(2, 50)));
  const refused = await visitor.get(`/files/${idOf('refused')}/original`);
  expect(await refused.text()).toContain('ada@example.org;C-2');
  expect(failures).toEqual([]);
});

it('the original of a file in an archive is the archive', async () => {
  const { workspace, visitor } = await delivered();
  const archive = writeZip(
    [200, 300].map((from) => ({ name: `${from}.csv`, content: csvOf(exportRows(2, from)) })),
  );
  workspace.drop('both.zip', archive);
  await workspace.run();
  const drops = workspace.query<{ id: number }>(
    "select drop_id as id from drop_file where file_name like 'both.zip#%'",
  );
  expect(drops).toHaveLength(2);
  for (const { id } of drops) {
    const got = await visitor.get(`/files/${id}/original`);
    expect(got.headers.get('content-disposition')).toBe(asAttachment('both.zip'));
    expect(Buffer.from(await got.arrayBuffer())).toEqual(archive);
  }
});

it('the tables of rows are those that the report of the run has', async () => {
  const { workspace, visitor, idOf } = await delivered();
  const id = idOf('published');
  const reports = join(workspace.root, 'reports');
  const folder = join(reports, readdirSync(reports).find((name) => name.endsWith('-run-1')) ?? '');
  for (const kind of ['accepted', 'attention']) {
    const file = readdirSync(folder).find((name) => name.endsWith(`.${kind}.csv`)) ?? '';
    const got = await visitor.get(`/files/${id}/${kind}.csv`);
    expect(got.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    // A response's text leaves the mark of its encoding out.
    expect(Buffer.from(await got.arrayBuffer()).toString()).toBe(textOf({ root: folder }, file));
  }
});

it('a missing download is answered in a plain sentence', async () => {
  const { workspace, visitor, idOf, failures } = await delivered();
  const id = idOf('published');
  rmSync(join(workspace.root, 'archive'), { recursive: true });
  const gone = await visitor.get(`/files/${id}/original`);
  expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('The file is gone')]);
  const refused = await visitor.get(`/files/${idOf('refused')}/accepted.csv`);
  expect([refused.status, await refused.text()]).toEqual([
    404,
    expect.stringContaining('no rows to download'),
  ]);
  for (const path of ['/files/99/original', `/files/${id}/registrar.db`, `/files/${id}/..%2foriginal`]) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
  }
  expect(failures).toEqual([]);
});

it('auditors get the files, viewers get none of them and no link to them', async () => {
  const { context, idOf } = await delivered();
  const id = idOf('published');
  const { as } = await peopledConsole(context);
  const [auditor, viewer] = [await as('auditor'), await as('viewer')];
  for (const kind of ['original', 'accepted.csv', 'attention.csv']) {
    expect((await auditor.get(`/files/${id}/${kind}`)).status).toBe(200);
    const refused = await viewer.get(`/files/${id}/${kind}`);
    expect(refused.status).toBe(403);
    expect(await refused.text()).not.toContain('@example.org');
  }
  const page = await (await viewer.get(`/files/${id}`)).text();
  expect(page).not.toContain('/original');
  expect(page).not.toContain('Completed on');
  const refusedFile = await (await viewer.get(`/files/${idOf('refused')}`)).text();
  expect(refusedFile).not.toContain('ada@example.org');
  expect(await (await viewer.get('/files')).text()).not.toContain('ada@example.org');
});

describe('the name of a download', () => {
  it.each([
    ['march.csv', `attachment; filename="march.csv"; filename*=UTF-8''march.csv`],
    [
      'a"; x="\r\nevil: 1.csv',
      `attachment; filename="a__ x____evil_ 1.csv"; filename*=UTF-8''a%22%3B%20x%3D%22%0D%0Aevil%3A%201.csv`,
    ],
    ["März (1)'.csv", `attachment; filename="M_rz (1)_.csv"; filename*=UTF-8''M%C3%A4rz%20%281%29%27.csv`],
    ['\ud800.csv', `attachment; filename="_.csv"; filename*=UTF-8''%EF%BF%BD.csv`],
  ])('%j is sent so that no header can be broken', (name, header) => {
    expect(asAttachment(name)).toBe(header);
  });
});
