import { expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { remembering } from '../../../src/normalise/values/reading.js';

/** A reader that counts its calls. */
function counting() {
  const asked: (Cell | undefined)[] = [];
  const read = remembering((cell: Cell | undefined) => {
    asked.push(cell);
    return { value: `read ${String(cell)}` };
  });
  return { asked, read };
}

test('a text is parsed once, however often it occurs', () => {
  const { asked, read } = counting();
  expect([read('a'), read('b'), read('a')]).toEqual([
    { value: 'read a' },
    { value: 'read b' },
    { value: 'read a' },
  ]);
  expect(asked).toEqual(['a', 'b']);
});

test('a number is not taken for the text that looks like it', () => {
  const { asked, read } = counting();
  read('1');
  read(1);
  expect(asked).toEqual(['1', 1]);
});

test('a cached reader receives the text unchanged, including lone surrogates', () => {
  const { asked, read } = counting();
  read('Grüße 😀 \ud800');
  expect(asked).toEqual(['Grüße 😀 \ud800']);
});

test('a column of many texts is evicted before it fills the memory, and long texts are not kept', () => {
  const { asked, read } = counting();
  for (let number = 0; number < 3_000; number++) read(`course ${number}`);
  read('course 2999');
  read('course 0');
  expect(asked).toHaveLength(3_001);
  const long = 'x'.repeat(200);
  read(long);
  read(long);
  expect(asked).toHaveLength(3_003);
});
