import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import { answeredOperations, faultsOfDocument, testApi } from '../../support/api.js';
import { testWorkspace } from '../../support/workspace.js';

it('the document of the interface is valid OpenAPI 3.1', async () => {
  expect(await faultsOfDocument()).toEqual([]);
});

it('status and health are the documents of the command line', async () => {
  const workspace = await testWorkspace();
  workspace.drop('bad.csv', 'Who,What\nada,C-1\n');
  await workspace.run();
  const { client } = await testApi(workspace);
  const [viewer, operator] = [await client('viewer'), await client('operator')];
  const { document } = await operator.get('/status');
  const printed = JSON.parse((await workspace.cli('status', '--json')).stdout);
  expect(document).toEqual(printed);
  const masked = JSON.stringify((await viewer.get('/status')).document);
  expect([masked.includes('the first is line 1'), masked.includes('Who')]).toEqual([true, false]);
  expect((await viewer.get('/health')).document).toEqual({ healthy: true, exit: 'done', problems: [] });
});

const ROWS = `Email,Course ID,Completed on,Score
ada@example.com,C-1,2025-03-03T09:12:00Z,88
ben.unknown@example.com,C-1,2025-03-03T09:12:00Z,0
ben.unknown@example.com,C-2,2025-03-03T09:12:00Z,0
cy@example.com,C-1,2025-03-03T09:12:00Z,high
`;

/** A delivered file with a row of each kind, one that was set aside, and programs of each role. */
async function delivered() {
  const workspace = await testWorkspace({
    environments: { main: { inFlight: 1 } },
    sandbox: { alters: 'entities' },
  });
  workspace.drop('rows.csv', ROWS.replace(',C-1,2025-03-03T09:12:00Z,88', ',C&1,2025-03-03T09:12:00Z,88'));
  workspace.drop('bad.csv', 'Who,What\nada.lovelace@example.com,C-1\n');
  await workspace.run();
  const api = await testApi(workspace);
  const programs = {
    viewer: await api.client('viewer'),
    operator: await api.client('operator'),
    auditor: await api.client('auditor'),
  };
  const printed = async (...args: string[]) => JSON.parse((await workspace.cli(...args, '--json')).stdout);
  return { workspace, api, ...programs, printed };
}

it('readings are the documents of the command line', async () => {
  const { auditor, printed } = await delivered();
  const withoutTime = ({ at: _, ...document }: Record<string, unknown>) => document;
  const report = (await auditor.get<Record<string, unknown>>('/report')).document;
  expect(withoutTime(report)).toEqual(withoutTime(await printed('report')));
  const ofRun = (await auditor.get<Record<string, unknown>>('/report?run=1&source=academy')).document;
  expect(withoutTime(ofRun)).toEqual(
    withoutTime(await printed('report', '--run', '1', '--source', 'academy')),
  );
  const trace = (await auditor.get<Record<string, unknown>>('/rows/rows.csv:3')).document;
  expect(withoutTime(trace)).toEqual(withoutTime(await printed('trace', 'rows.csv:3')));
  expect((await auditor.get('/learners/unknown')).document).toEqual(await printed('map'));
  const nothing = await auditor.get('/rows/nobody@example.com');
  expect([nothing.status, nothing.document]).toMatchObject([404, { kind: null, rows: [] }]);
});

it('rows and files come a page at a time', async () => {
  const { operator } = await delivered();
  type Page = { rows: { line: number; state: string }[]; next: string | null; total: number };
  const all = (await operator.get<Page>('/rows')).document;
  expect(all.rows.map(({ line, state }) => [line, state])).toEqual([
    [3, 'rejected'],
    [4, 'held'],
    [5, 'invalid'],
  ]);
  const first = (await operator.get<Page>('/rows?limit=2')).document;
  const second = (await operator.get<Page>(`/rows?limit=2&after=${first.next}`)).document;
  expect([...first.rows, ...second.rows]).toEqual(all.rows);
  const held = (await operator.get<Page>('/rows?states=held&rows=rows.csv:4')).document;
  expect(held.rows.map(({ line }) => line)).toEqual([4]);
  const wrong = await operator.get('/rows?states=gone&since=yesterday');
  expect([wrong.status, (wrong.document as { error: { mistakes: string[] } }).error.mistakes]).toMatchObject([
    422,
    [expect.stringContaining('states')],
  ]);
  type Files = { files: { file: string }[]; total: number };
  const files = (await operator.get<Files>('/files?order=name&perPage=1&page=2')).document;
  expect([files.files.map(({ file }) => file), files.total]).toEqual([['rows.csv'], 2]);
});

it('a viewer gets no personal data by any address', async () => {
  const { viewer } = await delivered();
  const personal = ['ada@', 'ben\\.', 'cy@', 'lovelace'];
  for (const { path, method } of OPERATIONS) {
    if (method !== 'get') continue;
    const { document } = await viewer.get(path.replace('{what}', 'rows.csv:3'));
    const text = JSON.stringify(document);
    expect([path, personal.flatMap((word) => new RegExp(`.{20}${word}.{20}`).exec(text) ?? [])]).toEqual([
      path,
      [],
    ]);
  }
  expect((await viewer.get('/rows/rows.csv:3')).status).toBe(403);
  expect((await viewer.get('/learners/unknown')).status).toBe(403);
  expect((await viewer.get('/rows?learner=ada@example.com')).status).toBe(409);
});

it('every answer that the document describes has been given here', () => {
  const described = OPERATIONS.flatMap(({ id, answers }) =>
    Object.keys(answers).map((status) => `${id} ${status}`),
  );
  expect(described.filter((one) => !answeredOperations.has(one))).toEqual([]);
});
