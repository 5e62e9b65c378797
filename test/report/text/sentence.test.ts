import { expect, it } from 'vitest';
import { sentence } from '../../../src/report/text/sentence.js';

it.each([
  ['it has no rows', 'It has no rows.'],
  ['registrar.yaml:3: schedule is not a list', 'registrar.yaml:3: schedule is not a list.'],
  ['sources is empty\nschedule is not a list.', 'Sources is empty. Schedule is not a list.'],
])('%j becomes %j', (text, expected) => {
  expect(sentence(text)).toBe(expected);
});
