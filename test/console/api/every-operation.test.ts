import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import { answeredOperations, faultsOfDocument, testApi } from '../../support/api.js';
import { testWorkspace, textOf } from '../../support/workspace.js';

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
  expect((await viewer.get('/health')).document).toMatchObject({
    state: 'degraded',
    findings: [{ part: 'file', code: 'file-refused' }],
  });
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
    [
      expect.stringContaining('states: "gone" can\'t be shown'),
      expect.stringContaining('since: "yesterday"'),
    ],
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

const [OLD, NOW] = ['ben.unknown@example.com', 'ben@example.com'];

/** Each verb as a request and as a command line: one that can be planned, and one that is refused. */
const VERBS: Readonly<Record<string, Record<'planned' | 'refused', readonly [object, readonly string[]]>>> = {
  '/runs': {
    planned: [{}, ['run']],
    refused: [{ sources: ['nowhere'] }, ['run', '--source', 'nowhere']],
  },
  '/reruns': {
    planned: [{ selection: { all: true } }, ['rerun', '--all']],
    refused: [{ selection: { run: 99 } }, ['rerun', '--run', '99']],
  },
  '/dismissals': {
    planned: [{ selection: { file: 'bad.csv' } }, ['dismiss', '--file', 'bad.csv']],
    refused: [{ drop: 99 }, ['dismiss', '--drop', '99']],
  },
  '/mappings': {
    planned: [{ old: OLD, new: NOW }, ['map', OLD, NOW]],
    refused: [{ old: OLD, new: OLD }, ['map', OLD, OLD]],
  },
  '/corrections': {
    planned: [{ row: 'rows.csv:5', values: { Score: '50' } }, ['correct', 'rows.csv:5', '--set', 'Score=50']],
    refused: [{ row: 'rows.csv:5', values: { Scor: '50' } }, ['correct', 'rows.csv:5', '--set', 'Scor=50']],
  },
  '/restages': {
    planned: [{ drop: 'rows.csv' }, ['restage', 'rows.csv']],
    refused: [{ drop: 'none.csv' }, ['restage', 'none.csv']],
  },
};

it('every verb plans and refuses alike at the command line and over HTTP, and changes nothing', async () => {
  const { operator, printed, workspace } = await delivered();
  const deciding = OPERATIONS.filter(
    ({ body }) => typeof body === 'object' && 'dryRun' in (body?.shape ?? {}),
  );
  expect(Object.keys(VERBS)).toEqual(deciding.map(({ path }) => path));
  const before = workspace.states();
  for (const [path, { planned, refused }] of Object.entries(VERBS)) {
    const dry = async (body: object) => (await operator.post(path, { ...body, dryRun: true })).document;
    expect([path, await dry(planned[0])]).toEqual([path, await printed(...planned[1], '--dry-run')]);
    const refusal = await dry(refused[0]);
    expect([path, refusal]).toEqual([path, { error: expect.objectContaining({ exit: 'usage' }) }]);
    expect([path, refusal]).toEqual([path, await printed(...refused[1], '--dry-run')]);
  }
  expect(workspace.states()).toEqual(before);
});

it.each([
  [
    ['--state', 'accepted'],
    { states: ['accepted'] },
    `"accepted" can't be rerun`,
    'The platform has accepted it',
  ],
  [['--since', 'soon'], { since: 'soon' }, `"soon" can't be read`, 'Write a day as 2026-03-02'],
  [['--run', 'x'], { run: 'x' }, `"x" can't be read`, 'It is the number of a run'],
  [['--row', 'none'], { rows: ['none'] }, `"none" can't be read`, 'A row is named by'],
])(
  'a mistake in a selection is refused with one sentence by every door: %j',
  async (options, value, problem, hint) => {
    const { operator, auditor, workspace } = await delivered();
    const typed = await workspace.cli('rerun', ...options);
    expect([typed.code, typed.stderr.includes(problem), typed.stderr.includes(hint)]).toEqual([
      2,
      true,
      true,
    ]);
    type Refused = { error: { mistakes: string[] } };
    const sent = await operator.post<Refused>('/reruns', { selection: value });
    expect([sent.status, sent.document.error.mistakes]).toEqual([
      422,
      [expect.stringContaining(`${problem}. ${hint}`)],
    ]);
    const [[field, text] = []] = Object.entries(value);
    const read = await auditor.get<Refused>(`/rows?${field}=${text}`);
    // Rows of any state can be looked at.
    if (field === 'states') return;
    const begin = `${field}: ${problem}. ${hint}`;
    expect([read.status, read.document.error.mistakes]).toEqual([422, [expect.stringContaining(begin)]]);
  },
);

it('decisions are recorded under the name of the token, and runs go on after the answer', async () => {
  const { operator, viewer, api, workspace } = await delivered();
  const [old, now] = ['ben.unknown@example.com', 'ben@example.com'];
  const done = [
    await operator.post('/corrections', {
      row: 'rows.csv:5',
      values: { Score: '50' },
      because: 'called her',
    }),
    await operator.post('/mappings', { old, new: now, because: 'mistyped' }),
    await operator.post('/restages', { drop: 'rows.csv', because: 'mended' }),
    await operator.post('/dismissals', { selection: { file: 'bad.csv' }, because: 'sent by mistake' }),
  ];
  expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  workspace.drop('more.csv', ROWS.split('\n').slice(0, 2).join('\n').replace('C-1', 'C-7'));
  const run = await operator.post<{ run: number }>('/runs', { maxDuration: '1m' });
  expect([run.status, run.document]).toEqual([202, { run: 2 }]);
  const ended = await operator.post<{ exit: string; balanced: boolean }>('/runs?wait=true', {});
  expect([ended.status, ended.document.balanced]).toEqual([200, true]);
  type Decisions = { decisions: { kind: string; who: string; door: string; because: string | null }[] };
  const log = (await operator.get<Decisions>('/decisions')).document.decisions;
  expect(log.map(({ kind, who, door, because }) => [kind, who, door, because])).toEqual([
    ['dismiss', 'operator', 'console', 'sent by mistake'],
    ['map', 'operator', 'console', 'mistyped'],
    ['correct', 'operator', 'console', 'called her'],
  ]);
  const after = await operator.get<Decisions>('/decisions?limit=2&after=3');
  expect(after.document).toMatchObject({ decisions: log.slice(1), total: 3, next: null });
  expect((await operator.get('/decisions?limit=1&after=3')).document).toMatchObject({ next: 2 });
  const masked = (await viewer.get<Decisions>('/decisions')).document.decisions;
  expect(masked.map(({ because }) => because)).toEqual([null, null, null]);
  expect(api.failures).toEqual([]);
});

it('a rerun says its decision and its run at once, or its whole report in the end', async () => {
  const { operator, printed } = await delivered();
  const rejected = { states: ['rejected'] };
  const waited = await operator.post<{ moved: number; exit: string }>('/reruns?wait=true', {
    selection: rejected,
    because: 'x',
  });
  expect([waited.status, waited.document]).toMatchObject([200, { moved: 1, run: 2, exit: 'attention' }]);
  const begun = await operator.post('/reruns', { selection: rejected });
  expect([begun.status, begun.document]).toEqual([202, { decision: 2, run: 3, moved: 1 }]);
  type Runs = { runs: { run: number; end: string | null }[] };
  const runs = async () => (await operator.get<Runs>('/runs?limit=1')).document.runs[0];
  while ((await runs())?.end === null);
  expect(await runs()).toMatchObject({ run: 3, trigger: 'rerun', end: 'attention' });
  const earlier = (await operator.get<Runs & { next: number | null }>('/runs?limit=1&after=3')).document;
  expect([earlier.runs.map(({ run }) => run), earlier.next]).toEqual([[2], 2]);
  const nothing = await operator.post('/reruns', { selection: { file: 'rows.csv', states: ['failed'] } });
  expect(nothing.document).toEqual(await printed('rerun', '--file', 'rows.csv', '--state', 'failed'));
});

it('only operators decide, and nothing is decided by a request with mistakes', async () => {
  const { operator, auditor, viewer, workspace } = await delivered();
  for (const { path, method, body } of OPERATIONS) {
    if (method !== 'post') continue;
    if (body === 'file') continue;
    for (const program of [viewer, auditor])
      expect([path, (await program.post(path, {})).status]).toEqual([path, 403]);
    const answer = await operator.post<{ error: { mistakes: string[] } }>(path, {
      selection: { al: 1 },
      dry: true,
    });
    expect([path, answer.status]).toEqual([path, 422]);
    expect(answer.document.error.mistakes).toContain('dry is no member here');
  }
  const mistakes = async (path: string, body: object) =>
    (await operator.post<{ error: { mistakes: string[] } }>(path, body)).document.error.mistakes;
  expect(await mistakes('/reruns', { selection: { states: ['accepted'], since: 'soon' } })).toHaveLength(2);
  expect(await mistakes('/dismissals', { selection: { all: true } })).toMatchObject([
    expect.stringContaining('a reason'),
  ]);
  expect(await mistakes('/dismissals', {})).toMatchObject([expect.stringContaining('selection')]);
  expect(await mistakes('/runs', { maxDuration: 'long' })).toMatchObject([
    expect.stringContaining('length of time'),
  ]);
  expect((await operator.post('/runs', { sources: ['nowhere'] })).status).toBe(409);
  expect((await operator.post('/restages', { drop: 99 })).status).toBe(409);
  expect((await operator.send('/runs', '{}')).status).toBe(415);
  expect((await operator.post('/runs', undefined)).status).toBe(400);
  expect(workspace.query('select * from decision')).toEqual([]);
});

it('a program pushes a file, after a look at what it would become', async () => {
  const { operator, workspace, printed } = await delivered();
  const content = ROWS.replaceAll('C-1', 'C-9');
  writeFileSync(join(workspace.root, 'pushed.csv'), content);
  const check = await operator.send('/checks?source=academy&name=pushed.csv', content);
  expect(check.document).toEqual(
    await printed('check', join(workspace.root, 'pushed.csv'), '--source', 'academy'),
  );
  expect(workspace.files('inbox')).toEqual([]);
  const pushed = await operator.send<{ sha256: string; look: string }>(
    '/drops?source=academy&name=pushed.csv',
    content,
  );
  expect([pushed.status, pushed.document]).toEqual([
    202,
    {
      source: 'academy',
      name: 'pushed.csv',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      look: '/api/v1/files?source=academy&name=pushed.csv',
    },
  ]);
  expect(textOf(workspace, 'inbox/academy/pushed.csv')).toBe(content);
  await operator.post('/runs?wait=true', {});
  type Files = { files: { file: string; standing: string }[] };
  const { files } = (await operator.get<Files>(pushed.document.look.replace('/api/v1', ''))).document;
  expect(files).toMatchObject([{ file: 'pushed.csv', standing: 'taken-in' }]);
});

it('what no run would take is refused before it is kept', async () => {
  const { operator, viewer, workspace } = await delivered();
  for (const [query, status] of [
    ['source=academy&name=..%2F..%2Fregistrar.yaml', 409],
    ['source=academy&name=.hidden.csv', 409],
    ['source=academy&name=notes.txt.exe', 409],
    ['source=nowhere&name=a.csv', 409],
    ['source=academy', 422],
    ['source=academy&name=a.csv&name=b.csv', 422],
  ] as const)
    expect([query, (await operator.send(`/drops?${query}`, ROWS)).status]).toEqual([query, status]);
  expect((await viewer.send('/drops?source=academy&name=a.csv', ROWS)).status).toBe(403);
  expect((await operator.send('/checks?source=academy', 'Who\nada\n')).status).toBe(200);
  expect((await operator.send('/checks?source=academy', Buffer.from([0x50, 0x4b, 3, 4, 0]))).status).toBe(
    409,
  );
  expect(workspace.files('inbox')).toEqual([]);
});

it('every answer that the document describes has been given here', () => {
  const described = OPERATIONS.flatMap(({ id, answers }) =>
    Object.keys(answers).map((status) => `${id} ${status}`),
  );
  expect(described.filter((one) => !answeredOperations.has(one))).toEqual([]);
});
