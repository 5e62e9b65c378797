import { describe, expect, it } from 'vitest';
import { nearMatches } from '../../../src/domain/text/near-matches.js';
import { stopwatch } from '../../support/growth.js';

const email = (id: string) => ({ type: 'Email', id });

async function near(unknown: string, known: readonly string[], type = 'Email'): Promise<string[]> {
  const [found = []] = await nearMatches(
    [{ type, id: unknown }],
    known.map((id) => ({ type, id })),
  );
  return found.map(({ id, why }) => `${why} ${id}`);
}

describe('near matches', () => {
  it.each<[string, string, string | null]>([
    ['jon.doe@a.example', 'john.doe@a.example', 'one-letter'],
    ['john.doe@a.example', 'jon.doe@a.example', 'one-letter'],
    ['jhon.doe@a.example', 'john.doe@a.example', 'one-letter'],
    ['ojhn.doe@a.example', 'john.doe@a.example', 'one-letter'],
    ['john.dow@a.example', 'john.doe@a.example', 'one-letter'],
    ['john.doe@a.example', 'johndoe@a.example', 'punctuation'],
    ['john_doe@a.example', 'john.doe@a.example', 'punctuation'],
    ['john.doe+lms@a.example', 'john.doe@a.example', 'punctuation'],
    ['john.doe@a.exmaple', 'john.doe@a.example', 'domain'],
    ['john.doe@old.example', 'john.doe@new.example', 'domain'],
    ['johndoe@old.example', 'john.doe@new.example', 'domain'],
    ['smith@a.example', 'smith2@a.example', null],
    ['smith2@a.example', 'smith3@a.example', null],
    ['smith12@a.example', 'smith21@a.example', null],
    ['john.doe@a.example', 'john.doe@a.example', null],
    ['jon.doe@a.example', 'john.doe@b.example', null],
    ['mary.doe@a.example', 'john.doe@a.example', null],
    ['joe@a.example', 'jeo@a.example', 'one-letter'],
    ['j.doe@a.example', 'john.doe@a.example', null],
  ])('of %s and %s: %s', async (unknown, known, why) => {
    expect(await near(unknown, [known])).toEqual(why === null ? [] : [`${why} ${known}`]);
  });

  it.each<[string, string, string | null]>([
    ['00123', '123', 'punctuation'],
    ['emp-123', 'EMP123', 'punctuation'],
    ['jdeo', 'jdoe', 'one-letter'],
    ['12345', '12354', null],
    ['1234', '12345', null],
    ['A1234', 'B1234', 'one-letter'],
  ])('of the employee numbers %s and %s: %s', async (unknown, known, why) => {
    expect(await near(unknown, [known], 'EmployeeId')).toEqual(why === null ? [] : [`${why} ${known}`]);
  });

  it('find any one change of a name, wherever it is', async () => {
    const name = 'abcdefgh';
    for (let length = 2; length <= name.length; length += 1) {
      const known = name.slice(0, length);
      for (let at = 0; at <= length; at += 1) {
        const head = known.slice(0, at);
        const changed = [
          `${head}x${known.slice(at)}`,
          `${head}${known.slice(at + 1)}`,
          `${head}x${known.slice(at + 1)}`,
          `${head}${[...known.slice(at, at + 2)].reverse().join('')}${known.slice(at + 2)}`,
        ];
        for (const one of changed.filter((text) => text !== known && text !== '')) {
          expect([one, await near(`${one}@a.example`, [`${known}@a.example`])]).toEqual([
            one,
            [`one-letter ${known}@a.example`],
          ]);
        }
      }
    }
  });

  it('are three at most, the nearest first, each once', async () => {
    const known = ['ada@zz.example', 'ada@yy.example', 'adaa@a.example', 'a.da@a.example', 'a.da@a.example'];
    expect(await near('ada@a.example', known)).toEqual([
      'punctuation a.da@a.example',
      'one-letter adaa@a.example',
      'domain ada@yy.example',
    ]);
  });

  it('are listed for each unknown learner, and only by the same type of identifier', async () => {
    const known = [email('ada@b.example'), { type: 'UserId', id: 'bea@b.example' }, email('cy@b.example')];
    const unknown = [email('cy@a.example'), email('bea@a.example'), email('ada@a.example')];
    expect((await nearMatches(unknown, known)).map((found) => found.map(({ id }) => id))).toEqual([
      ['cy@b.example'],
      [],
      ['ada@b.example'],
    ]);
  });

  it('of many unknown learners take hardly longer than those of few', async () => {
    const findMs = async (learners: number) => {
      const unknown = Array.from({ length: learners }, (_, n) => email(`first${n}.lsat${n}@corp.example`));
      function* known() {
        for (let n = 0; n < 100_000; n += 1) yield email(`first${n}.last${n}@corp.example`);
      }
      const tookMs = stopwatch();
      const found = await nearMatches(unknown, known());
      expect(
        found.every((matches, n) => matches.some(({ id }) => id === `first${n}.last${n}@corp.example`)),
      ).toBe(true);
      return tookMs();
    };
    // A hundred times as long where each unknown one is compared with each known one.
    expect(await findMs(200)).toBeLessThan(20 * (await findMs(2)));
  });
});
