import { expect, it } from 'vitest';
import { fewAtOnce } from '../../../src/actions/access/few-at-once.js';

function job(begun: string[], name: string) {
  let end = () => {};
  let fail = () => {};
  const done = new Promise<string>((resolve, reject) => {
    end = () => resolve(name);
    fail = () => reject(new Error(name));
  });
  const work = () => {
    begun.push(name);
    return done;
  };
  return { work, end, fail };
}

it('so many go on, so many wait in the order in which they came, and the others are not done', async () => {
  const begun: string[] = [];
  const few = fewAtOnce(2, 2);
  const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => job(begun, name));
  const [a, b, c, d, e] = jobs.map(({ work }) => few.run(work));
  expect(begun).toEqual(['a', 'b']);
  expect(e).toBeNull();
  jobs[1]?.end();
  expect(await b).toBe('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  jobs[0]?.fail();
  await expect(a).rejects.toThrow('a');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const { end } of jobs) end();
  expect(await Promise.all([c, d])).toEqual(['c', 'd']);
  expect(few.run(async () => 'f')).not.toBeNull();
});
