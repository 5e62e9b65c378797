import { expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { remembering } from '../../../src/normalise/values/reading.js';

/** A reader that counts its calls. */
function counting() {
  const parsed: (Cell | undefined)[] = [];
  const read = remembering((cell: Cell | undefined) => {
    parsed.push(cell);
    return { value: `read ${String(cell)}` };
  });
  return { parsed, read };
}

test('a text is parsed once, however often it occurs', () => {
  const { parsed, read } = counting();
  expect([read('a'), read('b'), read('a')]).toEqual([
    { value: 'read a' },
    { value: 'read b' },
    { value: 'read a' },
  ]);
  expect(parsed).toEqual(['a', 'b']);
});

test('a number is not taken for the text that looks like it', () => {
  const { parsed, read } = counting();
  read('1');
  read(1);
  expect(parsed).toEqual(['1', 1]);
});

test('a cached reader receives the text unchanged, including lone surrogates', () => {
  const { parsed, read } = counting();
  read('Grüße 😀 \ud800');
  expect(parsed).toEqual(['Grüße 😀 \ud800']);
});

test('a column of many texts is evicted before it fills the memory, and long texts are not kept', () => {
  const { parsed, read } = counting();
  for (let number = 0; number < 3_000; number++) read(`course ${number}`);
  read('course 2999');
  read('course 0');
  expect(parsed).toHaveLength(3_001);
  const long = 'x'.repeat(200);
  read(long);
  read(long);
  expect(parsed).toHaveLength(3_003);
});
