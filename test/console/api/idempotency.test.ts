import { expect, it } from 'vitest';
import type { Problem } from '../../../src/documents/common.js';
import { deleteAnswers } from '../../../src/ledger/access/idempotent-responses.js';
import { testApi } from '../../support/api.js';
import { copiedApi, DELIVERED_ROWS } from '../../support/delivered-api.js';

const KEY = { 'idempotency-key': 'order-17' };

const DISMISSAL = { selection: { states: ['rejected'] }, because: 'no longer needed' };

it('a decision sent again with its key is made once and answered the same, also after a restart', async () => {
  const { workspace, operator } = await copiedApi();
  const first = await operator.post('/dismissals', DISMISSAL, KEY);
  const again = await operator.post('/dismissals', DISMISSAL, KEY);
  expect([first.status, first.document]).toMatchObject([200, { decision: 1, moved: 1 }]);
  expect([again.status, again.document]).toEqual([200, first.document]);
  expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  const restarted = await testApi(workspace);
  const later = await restarted.client('operator', operator.secret);
  expect((await later.post('/dismissals', DISMISSAL, KEY)).document).toEqual(first.document);
  expect(workspace.query('select decision_id from decision')).toHaveLength(1);
});

it('a key that was used for another request is refused, and a dry run uses no key', async () => {
  const { workspace, operator } = await copiedApi();
  expect((await operator.post('/dismissals', { ...DISMISSAL, dryRun: true }, KEY)).status).toBe(200);
  expect((await operator.post('/dismissals', DISMISSAL, KEY)).status).toBe(200);
  for (const [path, body] of [
    ['/dismissals', { ...DISMISSAL, because: 'another' }],
    ['/restages', { drop: 'rows.csv' }],
  ] as const) {
    const { status, document } = await operator.post<Problem>(path, body, KEY);
    expect([status, document.type]).toEqual([422, 'urn:registrar:problem:key-reused']);
  }
  const bad = await operator.post<Problem>('/dismissals', DISMISSAL, { 'idempotency-key': 'a b' });
  expect([bad.status, bad.document.errors]).toMatchObject([
    422,
    [{ in: 'header', field: 'Idempotency-Key' }],
  ]);
  expect(workspace.query('select decision_id from decision')).toHaveLength(1);
});

it('a refused request keeps no answer: once its cause is gone, the same key works', async () => {
  const { operator } = await copiedApi();
  const correction = { row: 'rows.csv:5', values: { Score: 'high' }, because: 'called her' };
  expect((await operator.post('/corrections', correction, KEY)).status).toBe(409);
  const right = { ...correction, values: { Score: '50' } };
  expect((await operator.post('/corrections', right, KEY)).status).toBe(200);
});

it('a repeated request must wait while the first is in progress', async () => {
  const { operator } = await copiedApi();
  const both = await Promise.all([
    operator.post<Problem>('/runs?wait=true', {}, KEY),
    operator.post<Problem>('/runs?wait=true', {}, KEY),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const late = both.find(({ status }) => status === 409);
  expect([late?.document.type, late?.headers.get('retry-after')]).toEqual([
    'urn:registrar:problem:key-in-work',
    '1',
  ]);
});

it('a file that is sent again with its key is put into the inbox once', async () => {
  const { workspace, operator } = await copiedApi();
  const send = (content: string, headers = {}) =>
    operator.send<Problem>('/drops?source=academy&name=kim.csv', content, headers);
  const first = await send(DELIVERED_ROWS, KEY);
  const again = await send(DELIVERED_ROWS, KEY);
  expect([again.status, again.document, again.headers.get('location')]).toEqual([
    202,
    first.document,
    '/api/v1/files?source=academy&name=kim.csv',
  ]);
  expect((await send(`${DELIVERED_ROWS}\n`, KEY)).document.type).toBe('urn:registrar:problem:key-reused');
  expect(workspace.files('inbox')).toEqual(['academy/kim.csv']);
  await send(DELIVERED_ROWS);
  expect(workspace.files('inbox')).toHaveLength(2);
});

it('a rerun whose process died after its decision is not decided again, whatever state its rows are in', async () => {
  const { workspace, operator, api } = await copiedApi();
  const rerun = { selection: { states: ['rejected'] }, because: 'known now' };
  const first = await operator.post('/reruns?wait=true', rerun, KEY);
  expect(first.document).toMatchObject({ moved: 1 });
  // As if the process had died before it kept the answer; the platform has refused the row once more.
  await deleteAnswers(api.context.ledger);
  const attempts = workspace.query('select attempt_id from attempt').length;
  const again = await operator.post('/reruns?wait=true', rerun, KEY);
  expect([again.status, again.document]).toMatchObject([200, { moved: 1 }]);
  expect(workspace.query('select decision_id from decision')).toHaveLength(1);
  expect(workspace.query('select attempt_id from attempt')).toHaveLength(attempts);
});
