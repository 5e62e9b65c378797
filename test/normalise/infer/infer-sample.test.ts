import { expect, it } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { inferSample, mappedCount } from '../../../src/normalise/infer/infer-mapping.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { rowsOf } from '../builders.js';

const HEADER = ['Email', 'Course ID', 'Completed on'];
const DATA = ['ada@example.org', 'C-1', '2024-01-05'];

const inferred = (lines: readonly (readonly Cell[])[]) => inferSample(rowsOf(lines), submitCompletion);

const headerOf = (lines: readonly (readonly Cell[])[]) =>
  inferred(lines)?.columns.flatMap(({ header }) => (header === null ? [] : [header]));

it('the line that maps most fields is taken for the header, titles above it left aside', () => {
  expect(headerOf([['Export'], [], ['Course', 'of', 'today'], HEADER, DATA])).toEqual(HEADER);
});

it('the first of two header lines is the header', () => {
  expect(headerOf([HEADER, DATA, ['Mail', 'Course Code', 'Finish Date'], DATA])).toEqual(HEADER);
});

it('blank lines above it do not count towards the thirty that are looked at', () => {
  expect(headerOf([...Array(40).fill([null, '']), HEADER, DATA])).toEqual(HEADER);
});

it('a header further down than thirty lines is not looked for', () => {
  expect(inferred([...Array(30).fill(['note']), HEADER, DATA])).toBeNull();
});

it.each([
  ['no line', []],
  ['data alone', [DATA, DATA]],
  ['a title', [['Export of today'], DATA]],
  ['a line with the same word twice', [['done', 'Done'], DATA]],
  ['a line with nothing below it', [['Who', 'What', 'Ready']]],
])('a sample with %s has no header', (_, lines) => {
  expect(inferred(lines)).toBeNull();
});

it('without known words the line with the most names is the header, and a person chooses its columns', () => {
  const names = ['Who', 'What', 'Ready'];
  const sample = inferred([['Export', 'of today'], names, DATA]);
  expect([sample?.headers, headerOf([names, DATA])]).toEqual([names, []]);
  expect(headerOf([['Email', 'Colour'], DATA])).toEqual(['Email']);
});

it('counts the fields that a column gives', () => {
  const mapping = inferred([HEADER, DATA]);
  expect(mapping && mappedCount(mapping)).toBe(3);
});
