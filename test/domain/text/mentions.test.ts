import { describe, expect, it } from 'vitest';
import { hasWord, mentionsOf } from '../../../src/domain/text/mentions.js';

const ANN = mentionsOf(['Ann@X.org']);
const NUMBER = mentionsOf(['42']);
const EMPLOYEE = mentionsOf(['EMP-00042']);

describe('a text names a person', () => {
  it.each([
    'ann@x.org',
    'ANN@X.ORG',
    'Ann <ann@x.org>',
    "'ann@x.org",
    'mailto:ann@x.org?subject=x',
    'It was ann@x.org.',
    'bob@x.org;ann@x.org',
    '/users/ann%40x.org/courses',
    'ａｎｎ@x.org',
  ])('by an address: %s', (text) => {
    expect([ANN.inText(text), ANN.inCell(text, false)]).toEqual([true, true]);
  });

  it.each([
    'mary-ann@x.org',
    'joann@x.org',
    'joann%40x.org',
    'jo.ann@x.org',
    'ann@x.org.uk',
    'ann@x.organic',
    'ann+1@x.org',
    'ann',
    '',
  ])('but not by another address: %s', (text) => {
    expect([ANN.inText(text), ANN.inCell(text, true)]).toEqual([false, false]);
  });

  it('in a cell of which something is struck through, with it or without', () => {
    expect(ANN.inCell({ error: 'ann@x.org', struck: '~~ann@x.org~~' }, true)).toBe(true);
    expect(ANN.inCell({ error: 'annold@x.org', struck: 'ann~~old~~@x.org' }, true)).toBe(true);
    expect(ANN.inCell({ error: 'joann@x.org', struck: 'joann@x.~~org~~' }, true)).toBe(false);
  });

  it('by an identifier of letters and digits, at any place', () => {
    expect(EMPLOYEE.inText('see emp-00042, please')).toBe(true);
    expect(EMPLOYEE.inText('EMP-000421')).toBe(false);
  });

  it('by a number only where a cell says whom its row is about', () => {
    expect([NUMBER.inCell(42, true), NUMBER.inCell(' 42 ', true), NUMBER.inCell('42', false)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([NUMBER.inText('42'), NUMBER.inCell('a 42', true), NUMBER.distinctive]).toEqual([
      false,
      false,
      [],
    ]);
    expect([NUMBER.inFile('a,42,b'), NUMBER.inFile('a,142,b'), NUMBER.inFile('42.5')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

it('a text without letters is no word of any cell', () => {
  expect(['', 'ann', ' '].map((cell) => hasWord(cell, ''))).toEqual([false, false, false]);
});
