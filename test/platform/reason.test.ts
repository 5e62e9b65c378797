import { expect, it } from 'vitest';
import { personalValues, refusalReason } from '../../src/platform/reason.js';
import { COMPLETION } from './fixtures.js';

const NOTHING = { id: null, code: null, title: null, detail: null, source: null };

it.each([
  ['nothing', null, 'HTTP 400'],
  ['no members', NOTHING, 'HTTP 400'],
  ['a code alone', { ...NOTHING, code: 'bad' }, 'bad'],
  ['a title alone', { ...NOTHING, title: 'Bad Request' }, 'HTTP 400: Bad Request'],
  [
    'code, title and detail',
    { ...NOTHING, code: 'bad', title: 'Bad', detail: 'It is bad.' },
    'bad: It is bad.',
  ],
  [
    'an identifier of any kind',
    { ...NOTHING, code: 'bad-request', detail: 'Invalid user identifier: E-4711 (gone)' },
    'bad-request: Invalid user identifier',
  ],
  ['an e-mail address', { ...NOTHING, detail: 'User <bob@x.org> is gone' }, 'HTTP 400: User <…> is gone'],
  ['the value of the request', { ...NOTHING, detail: 'No user e-17/A here' }, 'HTTP 400: No user … here'],
  ['the source', { ...NOTHING, detail: 'No course C++ (1)', source: 'C++ (1)' }, 'HTTP 400: No course'],
  ['the value at the end', { ...NOTHING, detail: 'No user:  E-17/a' }, 'HTTP 400: No user'],
  ['nothing but the value', { ...NOTHING, code: 'bad', detail: 'E-17/a' }, 'bad'],
  ['line breaks', { ...NOTHING, code: 'b\nad', detail: 'two\r\nlines' }, 'b ad: two lines'],
])('the reason of an error with %s', (_, error, expected) => {
  expect(refusalReason(400, error, ['E-17/a'])).toBe(expected);
});

it('a reason is never longer than 300 characters', () => {
  expect(refusalReason(400, { ...NOTHING, detail: 'x'.repeat(5000) }, [])).toHaveLength(300);
});

it('the personal value of a completion is its learner', () => {
  expect(personalValues(COMPLETION.body)).toEqual(['ada@example.org']);
});

it.each([[null], [undefined], ['text'], [{}], [{ data: [{ id: 'Go' }] }], [{ data: { attributes: null } }]])(
  'the body %j has no personal value',
  (body) => {
    expect(personalValues(body)).toEqual([]);
  },
);
