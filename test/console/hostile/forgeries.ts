import { expect } from 'vitest';
import { QUERIES } from '../../../src/actions/browse/queries.js';
import { formTokenOf } from '../../../src/console/identity/browser-secret.js';
import {
  addressesOf,
  formAddressesOf,
  oneOfEach,
  programAddressesOf,
} from '../../support/console-addresses.js';
import { formOf, sendRaw, uploadParts } from '../../support/sent-file.js';
import { type Known, PLAIN_WORDS, wordedConsole } from '../../support/worded-console.js';

type Opened = Awaited<ReturnType<typeof wordedConsole>>;

/** All that an address could change. */
async function stateOf({ workspace, context }: Opened) {
  return {
    // Permits are used up and free again by time alone.
    pulse: (await QUERIES.pulse(context, {})).replace(/"permits":\d+/g, ''),
    decisions: workspace.query('select * from decision order by decision_id'),
    runs: workspace.query('select run_id, ended_at from run'),
    sessions: workspace.query('select count(*) as sessions from session'),
    files: ['inbox', 'rejected', 'archive'].flatMap((folder) => workspace.files(folder)),
  };
}

/**
 * Each forgery at every third address, such that each address gets every third forgery. Each half of these runs in a suite of its own.
 */
export async function noForgeryIsTaken(half: 0 | 1): Promise<void> {
  const opened = await wordedConsole(PLAIN_WORDS);
  const { as, known, url, failures } = opened;
  const [ada, eve] = [as('ada'), as('ada')];
  await eve.get('/files');
  await ada.get('/files');
  const { token } = ada;
  const cookie = [...ada.cookies].map((pair) => pair.join('=')).join('; ');
  const before = await stateOf(opened);
  const json = JSON.stringify({ token, because: 'so' });
  const form = new URLSearchParams({ token, because: 'so', source: 'academy', name: 'x.csv' }).toString();
  const formType = { 'content-type': 'application/x-www-form-urlencoded' };
  const forged: readonly (readonly [
    why: string,
    init: { body: string; headers?: Record<string, string> },
  ])[] = [
    ['no token', { body: 'because=so', headers: formType }],
    ['an empty token', { body: 'token=&because=so', headers: formType }],
    ['another browser’s token', { body: `token=${eve.token}&because=so`, headers: formType }],
    ['the token in the address alone', { body: 'because=so', headers: formType }],
    ['a wrong token behind the right one', { body: `${form}&token=wrong`, headers: formType }],
    ['the right token for no cookie', { body: form, headers: { ...formType, cookie: '' } }],
    [
      'the token of an empty cookie',
      {
        body: form.replace(token, formTokenOf('x')),
        headers: { ...formType, cookie: cookie.replace(/=.*/, '=') },
      },
    ],
    ['another origin', { body: form, headers: { ...formType, origin: 'http://evil.example' } }],
    ['another port’s origin', { body: form, headers: { ...formType, origin: 'http://127.0.0.1:1' } }],
    ['no origin at all', { body: form, headers: { ...formType, origin: 'null' } }],
    ['a page elsewhere', { body: form, headers: { ...formType, 'sec-fetch-site': 'cross-site' } }],
    ['a page of the same site', { body: form, headers: { ...formType, 'sec-fetch-site': 'same-site' } }],
    ['text', { body: form, headers: { 'content-type': 'text/plain' } }],
    ['JSON', { body: json, headers: { 'content-type': 'application/json' } }],
    ['a body of no type', { body: form, headers: { 'content-type': '' } }],
  ];
  const paths = [...formAddressesOf(oneOfEach(known())), '/log-out', '/log-in'];
  for (const [nth, [why, { body, headers }]] of forged.entries()) {
    for (const path of paths.filter((_, index) => index % 6 === (nth + 3 * half) % 6)) {
      const address = new URL(`${path}?token=${token}&because=so`, url);
      const answer = await fetch(address, {
        method: 'POST',
        body,
        headers: { 'x-forwarded-user': 'ada', cookie, ...headers },
        redirect: 'manual',
      });
      expect([why, path, answer.status]).toEqual([why, path, 403]);
      await answer.arrayBuffer();
    }
  }
  for (const headers of [{}, { origin: 'http://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
    const parts = uploadParts(Object.keys(headers).length === 0 ? eve.token : token, 'x.csv', 'a,b\n');
    const sent = await sendRaw(url, { cookie, 'x-forwarded-user': 'ada', ...headers }, formOf(parts));
    expect(sent).toMatchObject({ status: 403 });
  }
  expect(await stateOf(opened)).toEqual(before);
  expect(failures).toEqual([]);
}

export async function requestsChangeNothing(of: (known: Known) => Known): Promise<void> {
  const opened = await wordedConsole(PLAIN_WORDS);
  const { as, known, failures } = opened;
  const ada = as('ada');
  const seen = of(known());
  const paths = [...addressesOf(seen), ...formAddressesOf(seen), '/log-out', ...programAddressesOf(seen)];
  const before = await stateOf(opened);
  for (const path of paths) {
    const more = `_method=POST&token=${ada.token}&because=so&all=true&drop=1&old=a@b.example&new=c@d.example&fingerprint=`;
    const answer = await ada.get(`${path}?${more}`, { 'x-http-method-override': 'POST', 'x-method': 'POST' });
    await answer.arrayBuffer();
    expect([path, answer.status < 500]).toEqual([path, true]);
  }
  expect(await stateOf(opened)).toEqual(before);
  expect(failures).toEqual([]);
}
