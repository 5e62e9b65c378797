import { expect, it } from 'vitest';
import { parseError } from '../../../src/platform/answers/response.js';

const NOTHING = { id: null, code: null, title: null, detail: null, source: null };

it.each<[unknown, unknown]>([
  [
    { errors: [{ id: 'e', code: 'c', status: 400, title: 't', detail: 'd', source: 's' }] },
    { id: 'e', code: 'c', title: 't', detail: 'd', source: 's' },
  ],
  [{ errors: [{ code: 'c' }, { code: 'second' }] }, { ...NOTHING, code: 'c' }],
  [{ errors: [{ id: 17, status: '400', detail: null, title: '' }] }, { ...NOTHING, id: '17' }],
  [{ errors: [{ source: { pointer: '/data' } }] }, { ...NOTHING, source: '{"pointer":"/data"}' }],
  [{ errors: { code: 'c' } }, { ...NOTHING, code: 'c' }],
  [{ errors: ['it broke'] }, { ...NOTHING, detail: 'it broke' }],
  [{ errors: [{}] }, NOTHING],
  [{ errors: [] }, null],
  [{ errors: [null] }, null],
  [{ errors: [[1]] }, null],
  [{ errors: 17 }, null],
  [{ error: 'invalid_client' }, null],
  [[{ code: 'c' }], null],
  [null, null],
  [undefined, null],
  ['text', null],
])('the first error of the body %j is parsed', (body, expected) => {
  expect(parseError(body)).toEqual(expected);
});

it.each(['detail', 'source', 'code', 'title', 'id'])('a %s that nests 5,000 deep is read', (member) => {
  const deep = JSON.parse(`${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)}`);
  const error = parseError({ errors: [{ [member]: deep }] });
  expect(error).toEqual({ ...NOTHING, [member]: expect.stringMatching(/^(…$|\[\{"a":)/) });
});

it('members of any length are kept to a page, and no character is cut in two', () => {
  const long = `${'x'.repeat(8_191)}${'😀'.repeat(200_000)}`;
  const error = parseError({ errors: [{ id: long, code: long, title: long, detail: long, source: long }] });
  expect(Object.values(error ?? {}).map((text) => text?.length)).toEqual([300, 300, 300, 8_191, 8_191]);
});

it('code, title and id say nothing of the person, since they stay when the person is erased', () => {
  const member = 'unknown-user:Ann@x.org, e-17\u001b[2J\nx';
  const error = parseError({ errors: [{ id: member, code: member, title: member }] }, ['E-17']);
  const shown = 'unknown-user:…, …\\u001b[2J x';
  expect(error).toMatchObject({ id: shown.replace(', …', ', e-17'), code: shown, title: shown });
});
