import { expect, it, test } from 'vitest';
import { mentionsIn } from '../../../src/domain/text/text-mentions.js';

const pieces = (text: string, wanted: readonly string[]) =>
  mentionsIn(text, wanted).map(({ start, end }) => text.slice(start, end));

test.each<[string, string, readonly string[], readonly string[]]>([
  ['whatever its case', 'no JANE here', ['jane'], ['JANE']],
  ['with other blanks', 'no Jane \n Doe here', ['Jane Doe'], ['Jane \n Doe']],
  ['with letters that have no single other case', 'STRASSE, straße', ['Straße'], ['STRASSE', 'straße']],
  ['at both ends', 'Jane or Jane', ['Jane'], ['Jane', 'Jane']],
  ['beside signs', '"Jane", (Jane)', ['Jane'], ['Jane', 'Jane']],
  ['not within a word', 'Janet, MaryJane, Jane7', ['Jane'], []],
  ['not beside a letter of two units', '𝒜Jane Jane𝒜', ['Jane'], []],
  ['as signs, not as a pattern', 'a.b*c or aXbc', ['a.b*c'], ['a.b*c']],
  ['several that overlap as one', 'Ann Lee Smith', ['Ann Lee', 'Lee Smith'], ['Ann Lee Smith']],
  ['nothing of nothing', 'Jane', ['', ' '], []],
  ['behind letters that grow when they are folded', 'ﬃ ŉ İ Jane!', ['Jane'], ['Jane']],
])('a text is found %s', (_, text, wanted, found) => {
  expect(pieces(text, wanted)).toEqual(found);
});

const LONG = 'the quick brown fox jumps over the lazy dog and runs away from all the other dogs';

it('the beginning of a long text is enough to find it, and the mention ends where they differ', () => {
  const cut = LONG.slice(0, 70);
  expect(pieces(`said "${cut}" and more`, [LONG])).toEqual([cut]);
  expect(pieces(`said "${LONG}" and more`, [LONG])).toEqual([LONG]);
});

it('a truncated text matches by a beginning of any length', () => {
  expect(pieces('refused for Jane D…', ['Jane Doe'])).toEqual(['Jane D…']);
  expect(pieces('refused for Jane D', ['Jane Doe'])).toEqual([]);
});
