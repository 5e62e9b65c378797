import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import type { Problem } from '../../../src/documents/common.js';
import { answeredOperations, testApi } from '../../support/api.js';
import { copiedApi, DELIVERED_ROWS as ROWS } from '../../support/delivered-api.js';
import { testWorkspace, textOf } from '../../support/workspace.js';

it('status and health return the documents of the command line', async () => {
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

it('queries return the documents of the command line', async () => {
  const { auditor, printed } = await copiedApi();
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
  expect([nothing.status, nothing.document]).toMatchObject([
    404,
    { type: 'urn:registrar:problem:not-found' },
  ]);
});

it('rows and files come a page at a time', async () => {
  const { operator } = await copiedApi();
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
  const wrong = await operator.get<Problem>('/rows?states=gone&since=yesterday&limit=0');
  expect([wrong.status, wrong.document.errors]).toMatchObject([
    422,
    [{ in: 'query', field: 'limit', message: 'must be at least 1' }],
  ]);
  expect((await operator.get<Problem>('/rows?states=gone&since=yesterday')).document.errors).toMatchObject([
    { in: 'query', field: 'states', message: expect.stringContaining('"gone" can\'t be shown') },
    { in: 'query', field: 'since', message: expect.stringContaining('"yesterday" can\'t be read') },
  ]);
  expect((await operator.get<Problem>('/rows?after=x')).status).toBe(422);
  expect((await operator.get<Problem>('/report?run=99')).status).toBe(404);
  expect((await operator.get<Problem>('/runs?after=x')).document.errors).toEqual([
    { in: 'query', field: 'after', message: '"x" can\'t be read. Send the "next" of a page.' },
  ]);
  type Files = { files: { file: string }[]; total: number; next: string | null };
  const whole = (await operator.get<Files>('/files')).document.files;
  const one = await operator.get<Files>('/files?limit=1');
  expect([one.document.total, one.document.next]).toEqual([2, expect.any(String)]);
  const [, link = ''] = /^<\/api\/v1(.*)>; rel="next"$/.exec(one.headers.get('link') ?? '') ?? [];
  const other = await operator.get<Files>(link);
  expect([other.document.next, other.headers.get('link')]).toEqual([null, null]);
  expect([...one.document.files, ...other.document.files]).toEqual(whole);
});

it('a viewer gets no personal data from any address', async () => {
  const { viewer } = await copiedApi();
  const personal = ['ada@', 'ben\\.', 'cy@', 'lovelace'];
  for (const { path, method } of OPERATIONS) {
    if (method !== 'get') continue;
    const { document } = await viewer.get(path.replace('{what}', 'rows.csv:3').replace(/\{\w+\}/, '1'));
    const text = JSON.stringify(document);
    expect([path, personal.flatMap((word) => new RegExp(`.{20}${word}.{20}`).exec(text) ?? [])]).toEqual([
      path,
      [],
    ]);
  }
  for (const path of ['/rows', '/rows?learner=ada@example.com', '/rows/rows.csv:3', '/learners/unknown'])
    expect([path, (await viewer.get(path)).status]).toEqual([path, 403]);
});

it('decisions are recorded under the name of the token, and runs go on after the answer', async () => {
  const { operator, viewer, api, workspace } = await copiedApi();
  const [old, now] = ['ben.unknown@example.com', 'ben@example.com'];
  const done = [
    await operator.post('/corrections', {
      row: 'rows.csv:5',
      values: { Score: '50' },
      because: 'called her',
    }),
    await operator.post('/mappings', { old, new: now, because: 'mistyped' }),
    await operator.post('/replacements', {
      ...{ selection: { states: ['invalid'] }, column: 'Score', find: 'none such', with: '' },
      because: 'so',
    }),
    await operator.post('/restages', { drop: 'rows.csv', because: 'mended' }),
    await operator.post('/dismissals', { selection: { file: 'bad.csv' }, because: 'sent by mistake' }),
  ];
  expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  workspace.drop('more.csv', ROWS.split('\n').slice(0, 2).join('\n').replace('C-1', 'C-7'));
  const run = await operator.post<{ run: number }>('/runs', { maxDuration: '1m' });
  expect([run.status, run.document]).toEqual([202, { run: 2, look: '/api/v1/runs/2' }]);
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
  const third = (await operator.get('/decisions/3')).document;
  expect(third).toEqual((await operator.get<Decisions>('/decisions?limit=1&after=4')).document.decisions[0]);
  expect([(await operator.get('/decisions/99')).status, (await operator.get('/runs/0')).status]).toEqual([
    404, 404,
  ]);
  expect((await operator.get('/decisions?limit=1&after=3')).document).toMatchObject({ next: '2' });
  for (const path of ['/decisions', '/decisions/3']) expect((await viewer.get(path)).status).toBe(403);
  expect(api.failures).toEqual([]);
});

it('a rerun returns its decision and its run at once, or its whole report at the end', async () => {
  const { operator, printed } = await copiedApi();
  const rejected = { states: ['rejected'] };
  const waited = await operator.post<{ moved: number; exit: string }>('/reruns?wait=true', {
    selection: rejected,
    because: 'x',
  });
  expect([waited.status, waited.document]).toMatchObject([200, { moved: 1, run: 2, exit: 'attention' }]);
  const begun = await operator.post('/reruns', { selection: rejected });
  expect([begun.status, begun.document]).toEqual([
    202,
    { decision: 2, run: 3, moved: 1, look: '/api/v1/runs/3' },
  ]);
  expect(begun.headers.get('location')).toBe('/api/v1/runs/3');
  type Runs = { runs: { run: number; end: string | null }[] };
  const run = async () => (await operator.get<Runs['runs'][number]>('/runs/3')).document;
  while ((await run()).end === null) await delay(20);
  expect(await run()).toMatchObject({ run: 3, trigger: 'rerun', end: 'attention' });
  const earlier = (await operator.get<Runs & { next: string | null }>('/runs?limit=1&after=3')).document;
  expect([earlier.runs.map(({ run }) => run), earlier.next]).toEqual([[2], '2']);
  const nothing = await operator.post('/reruns', { selection: { file: 'rows.csv', states: ['failed'] } });
  expect(nothing.document).toEqual(await printed('rerun', '--file', 'rows.csv', '--state', 'failed'));
});

it('only operators decide, and nothing is decided by a request with mistakes', async () => {
  const { operator, auditor, viewer, workspace } = await copiedApi();
  for (const { path, method, body } of OPERATIONS) {
    if (method !== 'post') continue;
    if (body === 'file') continue;
    for (const program of [viewer, auditor])
      expect([path, (await program.post(path, {})).status]).toEqual([path, 403]);
    const answer = await operator.post<Problem>(path, { selection: { al: 1 }, dry: true });
    expect([path, answer.status]).toEqual([path, 422]);
    expect(answer.document.errors).toContainEqual({
      in: 'body',
      field: 'dry',
      message: 'is not a field of this request',
    });
  }
  const mistakes = async (path: string, body: object) =>
    (await operator.post<Problem>(path, body)).document.errors?.map(
      ({ field, message }) => `${field} ${message}`,
    );
  expect(await mistakes('/reruns', { selection: { states: ['accepted'], since: 'soon' } })).toHaveLength(2);
  expect(await mistakes('/dismissals', { selection: { all: true } })).toMatchObject(['because is missing']);
  expect(await mistakes('/dismissals', {})).toMatchObject([expect.stringContaining('selection')]);
  expect(await mistakes('/runs', { maxDuration: 'long' })).toMatchObject([
    expect.stringContaining('length of time'),
  ]);
  expect((await operator.post('/runs', { sources: ['nowhere'] })).status).toBe(404);
  expect((await operator.post('/restages', { drop: 99 })).status).toBe(404);
  expect((await operator.send('/runs', '{}')).status).toBe(415);
  expect((await operator.post('/runs', undefined)).status).toBe(400);
  expect(workspace.query('select * from decision')).toEqual([]);
});

it('a program uploads a file after a preview', async () => {
  const { operator, workspace, printed } = await copiedApi();
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
  expect(files).toMatchObject([{ file: 'pushed.csv', standing: 'imported' }]);
});

it('a file that no run would import is refused before it is stored', async () => {
  const { operator, viewer, workspace } = await copiedApi();
  for (const [query, status] of [
    ['source=academy&name=..%2F..%2Fregistrar.yaml', 422],
    ['source=academy&name=.hidden.csv', 422],
    ['source=academy&name=notes.txt.exe', 422],
    ['source=nowhere&name=a.csv', 404],
    ['source=academy', 422],
    ['source=academy&name=a.csv&name=b.csv', 422],
  ] as const)
    expect([query, (await operator.send(`/drops?${query}`, ROWS)).status]).toEqual([query, status]);
  expect((await viewer.send('/drops?source=academy&name=a.csv', ROWS)).status).toBe(403);
  expect((await operator.send('/checks?source=academy', 'Who\nada\n')).status).toBe(200);
  const broken = Buffer.from([0x50, 0x4b, 3, 4, 0]);
  expect((await operator.send('/checks?source=academy', broken)).status).toBe(422);
  const named = await operator.send<Problem>('/checks?source=academy&name=march.xlsx', broken);
  expect(named.document).toMatchObject({ subject: 'march.xlsx', detail: expect.stringMatching(/damaged/) });
  expect(workspace.files('inbox')).toEqual([]);
});

it('these tests get every answer that the document describes', () => {
  const described = OPERATIONS.flatMap(({ id, answers }) =>
    Object.keys(answers).map((status) => `${id} ${status}`),
  );
  expect(described.filter((one) => !answeredOperations.has(one))).toEqual([]);
});
