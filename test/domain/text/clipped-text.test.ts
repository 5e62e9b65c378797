import { expect, it } from 'vitest';
import { isClippedFrom, repeatClipper, sentenceClipper } from '../../../src/domain/text/clipped-text.js';

const LONG = 'a remark that many rows have, '.repeat(40);

it('a long text is whole in the first row and clipped in the others, a short one is whole in all', () => {
  const clip = repeatClipper();
  expect([clip(LONG, 2), clip('short', 2), clip('short', 3)]).toEqual([LONG, 'short', 'short']);
  expect(clip(LONG, 3)).toBe(
    `${LONG.slice(0, 100)}… [clipped: ${LONG.length} characters, all of them in row 2]`,
  );
});

it('a clipped text is known for what it was clipped from, and for nothing else', () => {
  const clip = repeatClipper();
  clip(LONG, 2);
  const given = clip(LONG, 3);
  expect(isClippedFrom(LONG, given)).toBe(true);
  for (const other of [`${LONG}!`, `b${LONG.slice(1)}`, '']) expect(isClippedFrom(other, given)).toBe(false);
  expect(isClippedFrom(LONG, given.replace('row', 'line'))).toBe(false);
});

it('a sentence that many rows have is written in each of the first, and then by the row that has it', () => {
  const say = sentenceClipper(3);
  const sentence = 'Email is empty, and a record needs it: fill it in the file.';
  const said = [2, 3, 4, 5, 6].map((row) => say(sentence, row));
  expect(said).toEqual([sentence, sentence, sentence, 'as in row 2', 'as in row 2']);
  expect([say('short', 7), say(`${sentence} Now.`, 8)]).toEqual(['short', `${sentence} Now.`]);
});

it('four times as many rows make their sentences hardly longer', () => {
  const charsOf = (rows: number) => {
    const say = sentenceClipper(100);
    const sentences = Array.from({ length: rows }, (_, row) =>
      say('what is wrong with it '.repeat(20), row + 2),
    );
    return sentences.join('').length;
  };
  expect(charsOf(8_000)).toBeLessThan(3 * charsOf(2_000));
});
