import { describe, expect, it } from 'vitest';
import {
  type ComparedFields,
  judgeSameKey,
  type SameKeyRow,
  type SameKeyRule,
} from '../../../src/domain/delivery/same-key.js';

const COMPARED: ComparedFields = {
  sent: ['user-id', 'percentile'],
  score: 'percentile',
  headers: { percentile: 'Final grade' },
};

/** Rows from line 2 on, each with this score; undefined: none. */
function scored(...scores: readonly (number | undefined)[]): SameKeyRow[] {
  return scores.map((percentile, index) => ({
    sheet: null,
    line: index + 2,
    content: `content ${percentile}`,
    fields: { 'user-id': 'ann', ...(percentile === undefined ? {} : { percentile }) },
  }));
}

function fates(rows: readonly SameKeyRow[], rule: Exclude<SameKeyRule, 'last'>, compared = COMPARED) {
  return judgeSameKey(rows, rule, compared).map((verdict) => verdict?.kind ?? 'counts');
}

function issueOf(rows: readonly SameKeyRow[], index: number, rule: Exclude<SameKeyRule, 'last'> = 'ask') {
  return judgeSameKey(rows, rule, COMPARED)[index]?.issues[0];
}

describe('rows of one key', () => {
  it.each<[scores: (number | undefined)[], best: string[]]>([
    [
      [90, 40],
      ['counts', 'skipped'],
    ],
    [
      [40, 90],
      ['skipped', 'counts'],
    ],
    [
      [90, undefined],
      ['counts', 'skipped'],
    ],
    [
      [undefined, 0],
      ['skipped', 'counts'],
    ],
    [
      [90, 40, 90],
      ['counts', 'skipped', 'counts'],
    ],
    [
      [1, 2, 3],
      ['skipped', 'skipped', 'counts'],
    ],
    [
      [90, 90],
      ['counts', 'counts'],
    ],
  ])('with the scores %j: best keeps %j, and ask reports all that differ', (scores, best) => {
    expect(fates(scored(...scores), 'best')).toEqual(best);
    const outcome = new Set(scores).size > 1 ? 'invalid' : 'counts';
    expect(fates(scored(...scores), 'ask')).toEqual(scores.map(() => outcome));
  });

  it('that differ in more than the score, or in no score, need a decision under any rule', () => {
    const [first, second] = scored(90, 40);
    if (!first || !second) throw new Error('there are two rows');
    const others = [first, { ...second, fields: { ...second.fields, 'user-id': 'Ann' } }];
    expect(fates(others, 'best')).toEqual(['invalid', 'invalid']);
    expect(fates(scored(90, 40), 'best', { ...COMPARED, score: null })).toEqual(['invalid', 'invalid']);
    expect(fates([first, { ...second, fields: null }], 'best')).toEqual(['invalid', 'invalid']);
  });

  it('name the column, both values, the other line and what can be done', () => {
    expect(issueOf(scored(90, undefined), 0)).toMatchObject({
      code: 'same-key-differs',
      column: 'Final grade',
      value: '90',
      message: 'Final grade is 90 here and empty on line 3, in rows about the same learner, content and time',
      remedy: expect.stringMatching(/Correct .* sameKey .* best .* last .* dismiss/),
    });
    expect(issueOf(scored(90, undefined), 1)).toMatchObject({
      value: null,
      message: expect.stringContaining('is empty here and 90 on line 2'),
    });
    expect(issueOf(scored(40, 90), 0, 'best')).toMatchObject({
      code: 'same-key-lower',
      message: expect.stringContaining('is 40 here and 90 on line 3'),
    });
  });

  it('name the first few others, each value once, and the sheet of one on another sheet', () => {
    expect(issueOf(scored(1, 2, 2, 3, 4, 5, 6), 0)?.message).toContain(
      'is 1 here and 2 on line 3 and 3 on line 5 and 4 on line 6 and 2 other values on other lines,',
    );
    expect(issueOf(scored(1, 2, 3, 4, 5), 4)?.message).toContain(
      'is 5 here and 1 on line 2 and 2 on line 3 and 3 on line 4 and 1 other value on other lines,',
    );
    const [first, second] = scored(90, 40);
    if (!first || !second) throw new Error('there are two rows');
    expect(issueOf([{ ...first, sheet: 'January' }, second], 1)?.message).toContain(
      '90 on line 2 of sheet January',
    );
  });

  it('name the erasure where the other row was erased', () => {
    const [first, second] = scored(90, 40);
    if (!first || !second) throw new Error('there are two rows');
    expect(issueOf([{ ...first, fields: null }, second], 1)?.message).toContain(
      'Final grade is 40 here and erased on line 2',
    );
  });
});
