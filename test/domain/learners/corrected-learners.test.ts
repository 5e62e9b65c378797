import { describe, expect, it } from 'vitest';
import {
  type Correction,
  correctedLearners,
  type IdentifiedLearner,
} from '../../../src/domain/learners/corrected-learners.js';

const named = (id: string): IdentifiedLearner => ({ type: 'Email', id, hash: `#${id}` });

/** 'a>b b>c' as corrections. */
const corrections = (text: string): Correction[] =>
  text.split(' ').flatMap((pair) => {
    const [old, now] = pair.split('>');
    return old && now ? [{ old: named(old), now: named(now) }] : [];
  });

describe('corrected learners', () => {
  it.each<[string, string, string | null]>([
    ['', 'a', null],
    ['a>b', 'a', 'b'],
    ['a>b', 'b', null],
    ['a>b b>c', 'a', 'c'],
    ['b>c a>b c>d', 'a', 'd'],
  ])('with %s, %s is %s', (text, who, now) => {
    expect(correctedLearners(corrections(text)).inPlaceOf(`#${who}`)?.id ?? null).toBe(now);
  });

  it.each<[string, string, string[]]>([
    ['a>b', 'b', ['a']],
    ['a>b', 'a', []],
    ['a>b b>c x>c', 'c', ['a', 'b', 'x']],
    ['a>b b>c', 'b', []],
  ])('with %s, %s replaces %j', (text, who, formers) => {
    const found = correctedLearners(corrections(text)).formersOf(`#${who}`);
    expect(found.map(({ id }) => id)).toEqual(formers);
  });

  it('are refused where they go in a circle, which no command records', () => {
    expect(() => correctedLearners(corrections('a>b b>a'))).toThrow(/circle/);
  });
});
