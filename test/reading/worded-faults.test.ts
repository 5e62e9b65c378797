import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataFile } from '../../src/config/values/data-file.js';

const SOURCE = new URL('../../src/', import.meta.url).pathname;

/** The program without the lists of faults themselves. */
const CODE = ['intake', 'normalise', 'staging']
  .flatMap((room) =>
    readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(SOURCE, room, name),
    ),
  )
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(path, 'utf8').replace(/type (?:File|Cell)Fault =[^;]*;/, ''))
  .join('\n');

it.each([
  ['texts/unreadable', 'intake/unreadable.ts'],
  ['texts/cells', 'normalise/values/reading.ts'],
])('each fault of %s has words and occurs, and no words are left over', (words, path) => {
  const [, union = ''] =
    /type (?:File|Cell)Fault =([^;]*);/.exec(readFileSync(join(SOURCE, path), 'utf8')) ?? [];
  const faults = [...union.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
  expect(Object.keys(dataFile<object>(words)()).sort()).toEqual(faults.sort());
  expect(faults.filter((name) => !CODE.includes(`'${name}'`))).toEqual([]);
});
