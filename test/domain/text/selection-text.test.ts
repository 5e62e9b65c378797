import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BROWSABLE, RERUNNABLE } from '../../../src/actions/rows/selectable.js';
import { hrefOf } from '../../../src/console/work/visit.js';
import { isoMoment } from '../../../src/domain/clock.js';
import type { Selection } from '../../../src/domain/selection.js';
import { selectionIn, selectionQuery } from '../../../src/domain/text/selection-text.js';

const texts = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((text) => text.trim() !== '' && !/[\n\r\u2028\u2029]/.test(text));
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const times = fc
  .date({ min: new Date(0), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => isoMoment(date.toISOString()) ?? '');
const names = fc.oneof(
  fc.nat(),
  fc.record({
    file: texts.filter((file) => !/^\s|\s$/.test(file)),
    line: fc.integer({ min: 0, max: 999_999_999 }),
  }),
);

const selections: fc.Arbitrary<Selection> = fc.record({
  states: fc.subarray([...BROWSABLE.states], { minLength: 1 }),
  cause: orNull(texts),
  learner: orNull(texts),
  content: orNull(texts),
  file: orNull(texts),
  run: orNull(fc.nat()),
  since: orNull(times),
  until: orNull(times),
  rows: orNull(fc.array(names, { minLength: 1, maxLength: 4 })),
});

it('a selection round-trips through a URL', () => {
  fc.assert(
    fc.property(selections, (selection) => {
      const href = hrefOf({ path: '/x', query: selectionQuery(selection, BROWSABLE) });
      const query = Object.fromEntries(new URL(href, 'http://x').searchParams);
      const read = selectionIn({ ...query, sort: 'code', after: '3' }, BROWSABLE);
      expect({ ...read, states: [...(read?.states ?? [])].sort() }).toEqual({
        ...selection,
        states: [...selection.states].sort(),
      });
    }),
  );
});

it('a URL without a selection selects no rows; only all=true selects all', () => {
  expect(selectionIn({ sort: 'code', cause: ' ' }, RERUNNABLE)).toBeNull();
  expect(selectionIn({ all: 'true' }, RERUNNABLE)?.states).toEqual(RERUNNABLE.usual);
  expect(selectionIn({ all: 'false' }, RERUNNABLE)).toBeNull();
  expect(() => selectionIn({ all: 'yes' }, RERUNNABLE)).toThrow('all "yes" can\'t be read');
});

it.each([
  [{ states: 'rejected,accepted' }, /"accepted" can't be rerun/],
  [{ run: 'x' }, /run "x" can't be read/],
  [{ since: 'soon' }, /since "soon" can't be read/],
  [{ rows: 'nothing' }, /rows "nothing" can't be read/],
])('what can’t be read is said in a sentence: %o', (query, sentence) => {
  expect(() => selectionIn(query as Record<string, string>, RERUNNABLE)).toThrow(sentence);
});
