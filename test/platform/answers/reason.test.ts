import { expect, it } from 'vitest';
import { personalValues, refusalReason } from '../../../src/platform/answers/reason.js';
import { impersonal } from '../../../src/platform/answers/redact.js';
import { isLinear } from '../../support/growth.js';
import { COMPLETION } from '../fixtures.js';

/** Detail and source of about so many characters. */
type TextsOfSize = (size: number) => readonly [detail: string, source: string];

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
  ['the value within a word', { ...NOTHING, detail: 'No xE-17/ay' }, 'HTTP 400: No x…y'],
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

it.each<[string, string, string]>([
  ['an address in the code', 'unknown-user:bob@x.org', 'unknown-user:…: It is bad.'],
  ['the value of the request in the code', 'no-user-E-17/a', 'no-user-…: It is bad.'],
  [
    'a code that would move the cursor',
    'bad\u001b[2J\u202e\u0085',
    'bad\\u001b[2J\\u202e\\u0085: It is bad.',
  ],
])('%s is masked in the reason', (_, code, expected) => {
  expect(refusalReason(400, { ...NOTHING, code, detail: 'It is bad.' }, ['E-17/a'])).toBe(expected);
});

it.each([
  ['ann.lee0@x.org', ['ann.lee0@x.org', 'ann.lee0']],
  ['title@x.org', ['title@x.org']],
  ['a.b@x.org', ['a.b@x.org']],
  ['E-4711', ['E-4711']],
])('the personal values of %s are %j', (id, values) => {
  expect(personalValues({ data: { attributes: { 'user-id': id } } })).toEqual(values);
});

it('a value so short that it is part of other words is left out only where it is a word alone', () => {
  const error = { ...NOTHING, code: 'E10', detail: 'Maximum 10 for user 1' };
  expect(refusalReason(400, error, ['1'])).toBe('E10: Maximum 10 for user');
});

const LONG = 'the quick brown fox jumps over the lazy dog and runs away from all the other dogs';

it.each([
  ['whatever its case and blanks', 'No JANE \n Doe here', ['Jane Doe'], 'No … here'],
  ['as signs, not as a pattern', 'a.b*c[1] or aXbc', ['a.b*c[1]'], '… or aXbc'],
  ['behind letters that grow when they are folded', 'ﬃ ŉ İ Jane!', ['Jane'], 'ﬃ ŉ İ …!'],
  ['the longest of several', 'Ann Lee Smith, Ann Lee', ['Ann Lee', 'Ann Lee Smith'], '…, …'],
  ['with another that overlaps it', 'of Ann Lee Smith.', ['Ann Lee', 'Lee Smith'], 'of ….'],
  ['beside letters of two units', 'of 𝒜Jan or Jan', ['Jan'], 'of 𝒜Jan or …'],
  ['nothing of nothing', 'Jane', ['', ' '], 'Jane'],
  ['where the text was shortened within it', 'refused for Jane D…', ['Jane Doe'], 'refused for …'],
  ['not its beginning in a whole text', 'refused for Jane D', ['Jane Doe'], 'refused for Jane D'],
  ['whichever of the two sigmas it has', 'ΝΊΚΟΣ', ['νίκος'], '…'],
  ['up to where it differs, where it is very long', `${LONG} and so`, [`${LONG}, and more`], '… and so'],
])('a value is taken out %s', (_, text, values, expected) => {
  expect(impersonal(text, values)).toBe(expected);
});

it.each<[string, TextsOfSize]>([
  ['a detail without blanks', (size) => ['x'.repeat(size), '']],
  ['a detail of blanks', (size) => [' '.repeat(size), '']],
  ['a detail of what could begin addresses', (size) => ['a@'.repeat(size / 2), '']],
  ['a source of signs that patterns are made of', (size) => ['(a+)+$', '(a+)+$'.repeat(size / 6)]],
  ['a source that the detail nearly repeats', (size) => ['ab'.repeat(size / 2), 'ab'.repeat(size / 2 + 1)]],
])('%s takes time in proportion to its length', (_, textsOf) => {
  const work = (size: number) => {
    const [detail, source] = textsOf(size);
    return refusalReason(400, { ...NOTHING, detail, source }, ['ann@x.org', 'a']);
  };
  expect(isLinear(work, 6_000)).toBe(true);
});
