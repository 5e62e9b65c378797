import { expect, it } from 'vitest';
import { addToken } from '../../../src/actions/access/tokens.js';
import { changingConsole, PASSWORD } from '../../support/changing-console.js';
import { decider } from '../../support/decider.js';
import { csvOf, exportRow } from '../../support/exports.js';
import { fingerprintIn, read } from '../../support/peopled-console.js';
import { formOf, sendRaw, uploadParts } from '../../support/sent-file.js';
import { workspaceContext } from '../../support/workspace-context.js';

const PEOPLE = { ada: 'operator', ben: 'operator', otto: 'auditor', vera: 'viewer' } as const;

/** A console with four people, and an operator's part in everything that the audit log has. */
async function opened() {
  const served = await changingConsole(
    {
      sandbox: { learners: { unknown: ['grace.hoper@example.org'] } },
      schedule: [{ cron: '0 6 * * *', timeZone: 'UTC', do: ['run'] }],
      alerts: { channels: [{ name: 'log', file: 'alerts.jsonl' }] },
    },
    PEOPLE,
  );
  const withRole = async (name: string) => {
    const visitor = served.newVisitor();
    await visitor.get('/log-in');
    expect((await visitor.post('/log-in', { name, password: PASSWORD, to: '/' })).status).toBe(303);
    return visitor;
  };
  return { ...served, withRole };
}

it('ten questions of an auditor about people are answered by the audit log, on the page and as CSV, and a viewer sees none', async () => {
  const { url, newVisitor, withRole, workspace } = await opened();
  const [ada, ben] = [await withRole('ada'), await withRole('ben')];
  const wrong = newVisitor();
  await wrong.get('/log-in');
  await wrong.post('/log-in', { name: 'otto', password: 'a guess', to: '/' });

  // Ada uploads a file of two people and imports it; one of them has a slip.
  await ada.get('/files');
  const cookie = [...ada.cookies].map((pair) => pair.join('=')).join('; ');
  const content = csvOf([exportRow(0), exportRow(1, { email: 'grace.hoper@example.org' })]);
  const sent = await sendRaw(url, { cookie }, formOf(uploadParts(ada.token, 'march.csv', content)));
  const upload = sent === 'cut' ? '' : (sent.location ?? '');
  await ada.get(upload);
  expect((await ada.post(`${upload}/take`, { name: 'march.csv' })).status).toBe(303);

  // Ben starts the line of the schedule, which imports and delivers.
  const schedule = await read(await ben.get('/schedule'));
  const [, line = ''] = /name="line" value="([^"]+)"/.exec(schedule.markup) ?? [];
  expect((await ben.post('/schedule/start', { line })).status).toBe(303);
  const started = async () => (await read(await ben.get('/schedule'))).text;
  await expect.poll(started, { timeout: 60_000 }).toContain('has ended: run 1, done');
  expect(workspace.states()).toEqual({ accepted: 1, rejected: 1 });
  expect(await started()).toContain('run at 0 6 * * * UTC, started by ben');

  // A program sends a file by its token, and Ben revokes it.
  const context = await workspaceContext(workspace);
  const { secret } = await addToken(context, { name: 'lms', role: 'operator', days: 30 }, decider('ada'));
  const drop = await fetch(new URL('/api/v1/drops?source=academy&name=april.csv', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: csvOf([exportRow(2)]),
  });
  expect(drop.status).toBeLessThan(300);
  await ben.post('/settings/access/revoke', { name: 'lms' });

  // Ada assigns the cause, mutes its alert, maps the learner, and pauses the source; Ben signs out.
  const [cause = ''] = [
    /\?cause=([\w-]+)">Assign/.exec((await read(await ada.get('/attention'))).markup)?.[1] ?? '',
  ];
  await ada.get(`/attention/assign?cause=${cause}`);
  expect((await ada.post('/attention/assign', { cause, person: 'ben', comment: 'ask HR' })).status).toBe(303);
  expect((await read(await ben.get('/attention?assigned=ben'))).text).toContain('ben: ask HR');
  expect((await read(await ben.get('/attention?assigned=unassigned'))).text).toContain('No cause matches');
  expect((await ada.post('/attention/assign', { cause: 'no-such', person: 'ben' })).status).toBe(404);
  const { markup } = await read(await ada.get('/alerts'));
  expect(markup).toContain('href="/attention/rows?cause=');
  const alert = /\/alerts\/mute\?([^"]+)">Mute/.exec(markup)?.[1] ?? '';
  const key = Object.fromEntries(new URLSearchParams(alert.replaceAll('&amp;', '&')));
  await ada.get(`/alerts/mute?${alert}`);
  expect((await ada.post('/alerts/mute', { ...key, hours: '', because: 'HR knows' })).status).toBe(422);
  expect((await ada.post('/alerts/mute', { ...key, hours: '24', because: '' })).status).toBe(422);
  expect((await ada.post('/alerts/mute', { ...key, hours: '24', because: 'HR knows' })).status).toBe(303);
  const mapping = `/decide/map?${new URLSearchParams({ old: 'grace.hoper@example.org', new: 'grace.hopper@example.org' })}`;
  const fingerprint = fingerprintIn(await read(await ada.get(mapping)));
  expect((await ada.post(mapping, { fingerprint, because: 'a slip of the pen' })).status).toBe(303);
  const pausing = '/settings/sources/academy?paused=a+new+export';
  await ada.post(pausing, { fingerprint: fingerprintIn(await read(await ada.get(pausing))) });
  await ben.post('/log-out', {});

  const otto = await withRole('otto');
  const about = async (query: string) => {
    const page = await read(await otto.get(`/audit?${query}`));
    const file = await (await otto.get(`/audit.csv?${query}`)).text();
    return { page: page.text, file: file.trimEnd().split('\r\n').slice(1) };
  };
  const since = `since=${new Date(Date.now() - 7 * 86_400_000).toISOString()}`;
  const questions: readonly (readonly [question: string, query: string, answers: readonly RegExp[]])[] = [
    [
      'who uploaded this file?',
      'kind=upload&who=ada',
      [/ada, console Upload a file march\.csv, for academy/],
    ],
    [
      'which token sent this file?',
      'kind=upload&who=lms',
      [/lms, token Upload a file april\.csv, for academy/],
    ],
    ['who mapped this learner, and why?', 'kind=map', [/ada, console 1: Map .*a slip of the pen/]],
    ['who signed in last week?', `kind=sign-in&${since}`, [/ada/, /ben/, /otto/]],
    ['whose sign-in was refused?', 'kind=sign-in-refused', [/otto/]],
    [
      'who paused the source?',
      'kind=settings',
      [/ada, console Change registrar\.yaml \+ paused: a new export/],
    ],
    ['who made the token?', 'kind=token-add', [/ada, .* lms/]],
    ['who revoked it?', 'kind=token-revoke', [/ben, console Revoke a token lms/]],
    ['who cares for the cause?', 'kind=assign', [/ada, console Assign a cause [\w-]+, to ben ask HR/]],
    [
      'who muted the alert, until when and why?',
      'kind=mute',
      [/ada, console Mute an alert cause academy [\w-]+, until .* HR knows/],
    ],
    ['who started the run?', 'kind=start-line', [/ben, console Run a line of the schedule run/]],
    ['what did Ben do?', 'who=ben', [/Sign out/, /Revoke a token/, /Run a line/, /Sign in/]],
  ];
  for (const [question, query, answers] of questions) {
    const { page, file } = await about(query);
    for (const answer of answers) expect(page, question).toMatch(answer);
    expect(file.length, question).toBeGreaterThanOrEqual(query === 'who=ben' ? 4 : 1);
  }
  expect((await about('kind=mute')).file).toEqual([
    expect.stringMatching(/,ada,console,Mute an alert,,cause academy [\w-]+,2[\d-]+T[\d:.]+Z,,,HR knows$/),
  ]);
  expect((await read(await otto.get('/files/1'))).text).toContain('Uploaded by ada');

  const vera = await withRole('vera');
  for (const path of ['/audit', '/audit.csv', '/settings/access', '/attention/assign', '/alerts/mute'])
    expect((await vera.get(path)).status).toBe(403);
  for (const path of ['/', '/attention', '/alerts', '/schedule']) {
    const { text } = await read(await vera.get(path));
    expect(text).not.toMatch(/\bada\b|\bben\b|HR knows|ask HR/);
  }
  const alerts = await read(await vera.get('/alerts'));
  expect(alerts.text).toContain('muted until');
  expect(alerts.markup).not.toContain('/attention/rows');
});
