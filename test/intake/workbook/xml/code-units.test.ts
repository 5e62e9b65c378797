import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeUnits, standsAt, wordUnits } from '../../../../src/intake/workbook/xml/code-units.js';

describe('codeUnits', () => {
  it('gives what charCodeAt gives, of one text after the other', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 5 }), (texts) => {
        const unitsOf = codeUnits();
        for (const text of [...texts, ...texts]) {
          const expected = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
          expect([...unitsOf(text).subarray(0, text.length)]).toEqual(expected);
        }
      }),
    );
  });
});

describe('standsAt', () => {
  it.each([
    ['ab', 1, true],
    ['abc', 1, false],
    ['', 0, true],
    ['b\0\0', 2, false],
  ])('looks for %j', (word, start, isThere) => {
    expect(standsAt(wordUnits('xab\0'), start, wordUnits(word))).toBe(isThere);
  });
});
