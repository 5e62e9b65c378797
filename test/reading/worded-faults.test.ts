import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataFile } from '../../src/config/values/data-file.js';

const SOURCE = new URL('../../src/', import.meta.url).pathname;

/** The program without the lists of faults themselves. */
const CODE = ['intake', 'normalise', 'reading', 'staging']
  .flatMap((room) =>
    readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(SOURCE, room, name),
    ),
  )
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(path, 'utf8').replaceAll(/type (?:File|Cell|Table)Fault =[^;]*;/g, ''))
  .join('\n');

it.each([
  ['texts/unreadable', 'intake/unreadable.ts', 'File'],
  ['texts/cells', 'normalise/values/reading.ts', 'Cell'],
  ['texts/tables', 'normalise/values/reading.ts', 'Table'],
])('each fault of %s has words and occurs, and no words are left over', (words, path, kind) => {
  const text = readFileSync(join(SOURCE, path), 'utf8');
  const [, union = ''] = new RegExp(`type ${kind}Fault =([^;]*);`).exec(text) ?? [];
  const faults = [...union.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
  expect(Object.keys(dataFile<object>(words)()).sort()).toEqual(faults.sort());
  expect(faults.filter((name) => !CODE.includes(`'${name}'`))).toEqual([]);
});
