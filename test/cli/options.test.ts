import { expect, it } from 'vitest';
import { isoTime, wholeNumber } from '../../src/cli/option-values.js';

it.each([
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02T08:30Z', '2026-03-02T08:30:00.000Z'],
  ['2026-03-02T08:30:15.5+02:00', '2026-03-02T06:30:15.500Z'],
])('the time %s is %s', (text, iso) => {
  expect(isoTime(text)).toBe(iso);
});

it.each(['yesterday', '2026-3-2', '02.03.2026', '2026-03-02T08:30', '2026-13-01', ''])(
  '%j is refused as a time',
  (text) => {
    expect(() => isoTime(text)).toThrow(/Write a day as/);
  },
);

it.each([
  ['0', 0],
  ['20', 20],
  ['007', 7],
])('%s is the number %i', (text, number) => {
  expect(wholeNumber(text)).toBe(number);
});

it.each(['', '-1', '1.5', '1e3', 'ten', ' 1', '9999999999'])('%j is refused as a whole number', (text) => {
  expect(() => wholeNumber(text)).toThrow(/whole number/);
});
