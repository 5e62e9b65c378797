import { expect, it } from 'vitest';
import { masked } from '../../../src/report/words/masked.js';

it('a field that is neither known as harmless nor as personal is masked', () => {
  expect(masked({ nickname: 'Jane Doe', deep: [{ shoe: 'size forty', count: 3, isWorn: true }] })).toEqual({
    nickname: 'J… D…',
    deep: [{ shoe: 's… f…', count: 3, isWorn: true }],
  });
});

it('numbers, flags, times, states and names of files stay, but for an address in them', () => {
  const document = {
    state: 'rejected',
    file: 'march.csv',
    line: 7,
    since: '2026-03-02T08:00:00.000Z',
    states: { rejected: 2 },
    gone: null,
  };
  expect(masked(document)).toEqual(document);
  expect(masked({ file: 'march-jane@example.com.csv' })).toEqual({ file: 'm…@e….csv' });
});

it('a masked document omits texts of people and headers, and masks what it does not know', () => {
  expect(
    masked({
      because: 'Jane has left',
      header: ['Name', 'Jane'],
      mapping: { 'user-id': 'Jane' },
      learner: 'jane@example.com',
    }),
  ).toEqual({ because: null, header: [], mapping: {}, learner: 'j…@e….com' });
});

it.each([
  [
    'Status "Erledigt?" is a status whose meaning is not known',
    'Status "E…" is a status whose meaning is not known',
  ],
  [
    'say what it means: status: { completed: ["Erledigt?"] }',
    'say what it means: status: { completed: ["E…"] }',
  ],
  ['Name "Jane "JD" Doe" is odd', 'Name "J… "J… D…" is odd'],
  ['Name "Jane Doe Jane Doe…', 'Name "J… D… J… D……'],
])('in the sentence %s the quoted values are masked', (sentence, shown) => {
  expect(masked({ problems: [{ sentence, remedy: sentence }] })).toEqual({
    problems: [{ sentence: shown, remedy: shown }],
  });
});

it('a masked document omits values that aren’t plain data', () => {
  expect(masked({ header: 1, planned: new Map([['a', 'Jane']]), at: new Date(0) })).toEqual({
    header: null,
    planned: null,
    at: null,
  });
});
