import { request } from 'node:http';
import { expect, it } from 'vitest';
import { addToken } from '../../../src/actions/access/tokens.js';
import { addressesOf, programAddressesOf } from '../../support/console-addresses.js';
import { decider } from '../../support/decider.js';
import { PLAIN_WORDS, wordedConsole } from '../../support/worded-console.js';

const MARKUP = `<img src=x onerror=pwned=1>"'><script>pwned=1</script>`;

/** As written in an address, broken ones too. */
const VALUES = [
  encodeURIComponent(MARKUP),
  'javascript:pwned=1',
  '__proto__',
  'constructor',
  'toString',
  '-',
  '-1',
  '0',
  '1e9',
  '999999999999999',
  '99999999999999999999999',
  'NaN',
  '%00',
  '%E2%80%AE',
  '%ff%fe',
  '%',
  '%zz',
  '%ED%A0%80',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e',
  '1.2.3',
  '1:2',
  '0:0',
  '999999999999:999999999999',
  '2024-99-99',
  '+275760-09-13T00:00:00.001Z',
  "' or 1=1 --",
  '%25',
  '*',
  '%F0%9F%98%80',
  'x'.repeat(10_000),
  '%0d%0aset-cookie:%20evil=1',
].map((value) => value.replaceAll(' ', '%20'));

/** All that a page or the interface reads of an address. */
const NAMES = [
  ...[
    'search',
    'sort',
    'after',
    'page',
    'cause',
    'learner',
    'content',
    'file',
    'run',
    'since',
    'until',
    'rows',
  ],
  ...[
    'states',
    'state',
    'all',
    'source',
    'name',
    'standing',
    'who',
    'kind',
    'door',
    'end',
    'drop',
    'old',
    'new',
  ],
  ...['type', 'newType', 'part', 'chosen', 'to', 'limit', 'perPage', 'searchCells', 'wait'],
  ...['__proto__', 'a[]', 'a[b]'],
];

/** Requests the address as is: nothing makes it well-formed before. */
function ask(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    })
      .on('error', reject)
      .end();
  });
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

function requireHarmless(path: string, { status, headers, text }: Answered): string[] {
  const short = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  const isJson = /^application\/(problem\+)?json$/.test(String(headers['content-type']));
  return [
    ...(status >= 500 ? [`${short}: ${status}`] : []),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : [`${short}: no nosniff`]),
    ...(JSON.stringify(headers).includes('evil=1') && headers.location === undefined
      ? [`${short}: header`]
      : []),
    ...(headers.location === undefined || /^\/(?!\/)/.test(String(headers.location))
      ? []
      : [`${short}: leads away`]),
    ...(!isJson && /<img|<script>|<\/script>"|href="javascript/.test(text)
      ? [`${short}: ${text.slice(0, 200)}`]
      : []),
  ];
}

it('no value in an address breaks anything, or comes back as markup', async () => {
  const { url, known, context, failures } = await wordedConsole(PLAIN_WORDS);
  const { secret } = await addToken(context, { name: 'job', role: 'operator' }, decider('ada'));
  const person = { 'x-forwarded-user': 'ada' };
  const program = { authorization: `Bearer ${secret}` };
  const seen = known();
  const one = { ...seen, drops: [1], runs: [1], submissions: [1], decisions: [1], rows: ['1:2'] };
  const pages = addressesOf(one).filter((path) => !/\.xlsx|uploads|original|doctor/.test(path));
  const wrong: string[] = [];
  const all = [
    ...pages.map((path) => [path, person] as const),
    ...programAddressesOf(one).map((path) => [path, program] as const),
  ];
  let requests = 0;
  const shoot = async (path: string, headers: Readonly<Record<string, string>>) => {
    requests += 1;
    wrong.push(...requireHarmless(path, await ask(url, path, headers)));
  };
  for (const [path, headers] of all) {
    // Each value in turn in all names at once, so that there are not a million.
    for (const [index, value] of VALUES.entries()) {
      const names = value.length > 1_000 ? [NAMES[index % NAMES.length] ?? ''] : NAMES;
      await shoot(
        `${path}?${names.map((name) => `${encodeURIComponent(name)}=${value}`).join('&')}`,
        headers,
      );
    }
  }
  expect(wrong).toEqual([]);
  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(500);
});

it('no value of one name breaks anything, also where it comes twice', async () => {
  const { url, context, failures } = await wordedConsole(PLAIN_WORDS);
  const { secret } = await addToken(context, { name: 'job', role: 'operator' }, decider('ada'));
  const program = { authorization: `Bearer ${secret}` };
  const person = { 'x-forwarded-user': 'ada' };
  const readBy: Readonly<Record<string, readonly string[]>> = {
    '/attention': ['assigned'],
    '/attention/rows': [
      'search',
      'after',
      'cause',
      'learner',
      'content',
      'file',
      'run',
      'since',
      'until',
      'rows',
      'states',
    ],
    '/learners': ['learner', 'page'],
    '/files': ['source', 'name', 'standing', 'sort', 'page', 'state'],
    '/runs': ['after', 'trigger', 'end', 'state'],
    '/decisions': ['kind', 'who', 'door', 'end', 'after', 'sort'],
    '/decisions/1': ['after'],
    '/report': ['source', 'file', 'since', 'until'],
    '/report.html': ['source', 'file', 'since', 'until'],
    '/decide/rerun': ['learner', 'rows', 'run', 'since', 'cause'],
    '/decide/dismiss': ['learner', 'rows', 'drop'],
    '/decide/restage': ['drop'],
    '/decide/map': ['old', 'type', 'newType'],
    '/log-in': ['to'],
    '/api/v1/rows': ['search', 'after', 'limit', 'learner', 'since', 'rows', 'states', 'run'],
    '/api/v1/files': ['page', 'perPage', 'name', 'source'],
    '/api/v1/decisions': ['page', 'limit', 'who'],
    '/api/v1/runs': ['page', 'limit'],
    '/api/v1/report': ['since', 'until', 'source', 'run', 'file'],
  };
  const wrong: string[] = [];
  for (const [path, names] of Object.entries(readBy)) {
    for (const name of names) {
      for (const value of VALUES) {
        const more = path === '/decide/map' ? '&old=a@example.org&new=b@example.org' : '';
        const address = `${path}?${name}=${value}${value.length < 100 ? `&${name}=${value}` : ''}${more}`;
        for (const target of [address, `${path}?${name}=${value}${more}`])
          wrong.push(
            ...requireHarmless(target, await ask(url, target, path.startsWith('/api') ? program : person)),
          );
      }
    }
  }
  for (const value of VALUES) {
    for (const path of [
      '',
      'rows/',
      'files/',
      'runs/',
      'decisions/',
      'files/uploads/',
      'files/uploads/academy/',
      'files/1/',
      'runs/1/',
      'assets/',
      'attention/',
      'decide/',
    ])
      wrong.push(...requireHarmless(`/${path}${value}`, await ask(url, `/${path}${value}`, person)));
    for (const path of ['', 'rows/'])
      wrong.push(
        ...requireHarmless(`/api/v1/${path}${value}`, await ask(url, `/api/v1/${path}${value}`, program)),
      );
  }
  expect(wrong).toEqual([]);
  expect(failures).toEqual([]);
});
