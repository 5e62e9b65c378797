import { expect, it } from 'vitest';
import { addToken } from '../../../src/actions/access/tokens.js';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import { formTokenOf } from '../../../src/console/identity/browser-secret.js';
import {
  addressesOf,
  formAddressesOf,
  oneOfEach,
  programAddressesOf,
} from '../../support/console-addresses.js';
import { decider } from '../../support/decider.js';
import { wordedConsole } from '../../support/worded-console.js';
import { MARKED, PERSONAL } from './marked-words.js';
import { shownTo } from './shown-to-viewers.js';

it('a viewer gets no personal data from any address', async () => {
  const { as, known, context, url, failures } = await wordedConsole(MARKED);
  const viewer = as('vera');
  // The long suite visits what pages link to beyond these.
  const { found, seen } = await shownTo(viewer, ['/', ...addressesOf(known())], false);
  expect(found).toEqual([]);
  expect(seen.size).toBeGreaterThan(80);
  expect(await (await viewer.get('/pulse')).text()).toMatch(/^[0-9a-f]{64}$/);
  const { secret } = await addToken(context, { name: 'dash', role: 'viewer' }, decider('ada'));
  for (const { method, path } of OPERATIONS) {
    if (method === 'get') continue;
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/octet-stream' };
    const answer = await fetch(new URL(`/api/v1${path}`, url), { method, headers, body: MARKED.cell });
    expect([path, answer.status, PERSONAL.test(await answer.text())]).toEqual([path, 403, false]);
  }
  for (const path of programAddressesOf(known())) {
    const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${secret}` } });
    const output = `${JSON.stringify([...answer.headers])} ${await answer.text()}`;
    if (PERSONAL.test(output))
      found.push(`${path}: ${output.slice(Math.max(0, output.search(PERSONAL) - 120)).slice(0, 200)}`);
  }
  expect(found).toEqual([]);
  expect(failures).toEqual([]);
});

it('auditors see personal data wherever pages show it, and can’t act on it', async () => {
  const { as, known, workspace, failures } = await wordedConsole(MARKED);
  const auditor = as('otto');
  const shown = new Set<string>();
  const refused: string[] = [];
  for (const path of addressesOf(known())) {
    const answer = await auditor.get(path);
    if (PERSONAL.test(await answer.text())) shown.add(path.replace(/\d+/g, 'N'));
    if (answer.status === 403) refused.push(path.replace(/[\w-]{32}/, 'ID'));
  }
  expect([...shown].sort()).toEqual(
    [
      '/attention',
      '/attention/rows',
      '/audit',
      '/audit.csv',
      '/decisions/N',
      '/files',
      '/files/N',
      '/files/N/accepted.csv',
      '/files/N/attention.csv',
      '/files/N/original',
      '/learners',
      '/report',
      '/rows/N',
      '/rows/N%NAN',
      '/runs/N',
      '/runs/N/report.json',
    ].sort(),
  );
  // Undecided work: an upload belongs to its sender, and plans to the person who decides.
  expect(refused).toEqual([
    '/files/uploads/academy/ID',
    '/decide/rerun',
    '/decide/dismiss',
    '/decide/map',
    '/decide/replace',
    '/decide/restage',
    '/attention/assign',
    '/alerts/mute',
    '/learners/many',
    '/settings/sources/academy',
    '/settings/environments/main',
    '/settings/sources/academy/new/ID',
    '/settings/schedule/new',
    '/settings/schedule/0',
    '/settings/channels/new',
  ]);
  const before = workspace.query('select * from decision');
  for (const person of ['otto', 'vera']) {
    const visitor = as(person);
    await visitor.get('/');
    const token = formTokenOf([...visitor.cookies.values()][0] ?? '');
    for (const path of formAddressesOf(oneOfEach(known()))) {
      const answer = await visitor.post(path, { token, because: 'so', source: 'academy', name: 'x.csv' });
      const text = await answer.text();
      expect([person, path, answer.status, PERSONAL.test(text)]).toEqual([person, path, 403, false]);
    }
  }
  expect(workspace.query('select * from decision')).toEqual(before);
  expect(failures).toEqual([]);
});

const RIGHT = 'oswald.wolkenstein.firstrefused@ganzgeheim.example';
/** Masked it looks like the other one. */
const WRONG = 'otto.vogelweide.firstrefused@gartenlaube.example';

it('a viewer who guesses at a person gets the same answer, whether the person exists or not', async () => {
  const { as, context, url } = await wordedConsole(MARKED);
  const viewer = as('vera');
  const { secret } = await addToken(context, { name: 'dash', role: 'viewer' }, decider('ada'));
  const headers = { authorization: `Bearer ${secret}` };
  const answerTo = async (path: string, guess: string) => {
    const address = `${path}${encodeURIComponent(guess)}`;
    const answer = path.startsWith('/api')
      ? await fetch(new URL(address, url), { headers })
      : await viewer.get(address);
    const text = (await answer.text())
      .replaceAll(guess, 'GUESS')
      .replaceAll(encodeURIComponent(guess), 'GUESS')
      .replace(/\d\d:\d\d(:[\d.]+Z?)?|\d+ (seconds?|ms|minutes?)/g, 'TIME');
    return [path, answer.status, text];
  };
  const paths = [
    '/attention/rows?search=',
    '/attention/rows?states=rejected&search=',
    '/attention/rows?learner=',
    '/attention?search=',
    '/learners?learner=',
    '/files?name=',
    '/files?source=',
    '/report?file=',
    '/report?source=',
    '/rows/',
    '/rows/%23',
    '/decide/map?new=x@example.org&old=',
    '/decide/rerun?learner=',
    '/decide/dismiss?learner=',
    '/files/uploads/',
    '/files/uploads/academy/',
    '/api/v1/rows?learner=',
    '/api/v1/rows?search=',
    '/api/v1/rows/',
    '/api/v1/report?source=',
  ];
  for (const path of paths) expect(await answerTo(path, RIGHT)).toEqual(await answerTo(path, WRONG));
  for (const path of ['/api/v1/rows/1', '/api/v1/learners/unknown'])
    expect([path, (await fetch(new URL(path, url), { headers })).status]).toEqual([path, 403]);
});
