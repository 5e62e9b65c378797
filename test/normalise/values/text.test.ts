import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { readPassage, readText } from '../../../src/normalise/values/text.js';

describe('a text for people', () => {
  test.each<[Cell, string | null]>([
    [' First  aid\r\nat work ', 'First aid at work'],
    ['Cafe\u0301', 'Café'],
    [12, '12'],
    [true, 'true'],
    [{ percent: 5 }, '5%'],
    [{ error: '#N/A' }, null],
    [' ', null],
    [null, null],
  ])('%j is %j', (cell, value) => {
    expect(readText(cell)).toEqual({ value });
  });
});

describe('a text that the platform shows', () => {
  test.each<[Cell, string]>([
    ["  It's here ", "It's here"],
    [
      'Read **this**, [that](https://a.example/x_y) and _those_',
      'Read **this**, [that](https://a.example/x_y) and _those_',
    ],
    ['one\r\ntwo\rthree\n\nfour', 'one\ntwo\nthree\n\nfour'],
    ['a\tb', 'a\tb'],
    ['Gro\u0308ße', 'Größe'],
    ['Lad\u200bd\u00aders\ufeff', 'Ladders'],
    ['\u202eright to left\u202c', 'right to left'],
    ['bell\u0007', 'bell'],
    // A zero-width joiner makes one person of two signs, and shapes letters.
    ['👩\u200d🔧', '👩\u200d🔧'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    [2024, '2024'],
    // A word that means an empty cell elsewhere is a text here.
    ['n/a', 'n/a'],
  ])('%j is %j', (cell, value) => {
    expect(readPassage(cell)).toEqual({ value });
  });

  test.each<[Cell]>([[null], [''], [' \u200b\n'], [{ error: '#N/A' }]])('%j says nothing', (cell) => {
    expect(readPassage(cell)).toEqual({ value: null });
  });
});
