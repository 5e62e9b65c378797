import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataFile } from '../../src/config/values/data-file.js';

const INTAKE = new URL('../../src/intake/', import.meta.url).pathname;

it('each fault of a file has words, and no words are left over', () => {
  const code = readdirSync(INTAKE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'unreadable.ts')
    .map((name) => readFileSync(join(INTAKE, name), 'utf8'))
    .join('\n');
  const union =
    /type FileFault =([^;]*);/.exec(readFileSync(join(INTAKE, 'unreadable.ts'), 'utf8'))?.[1] ?? '';
  const faults = [...union.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
  expect(Object.keys(dataFile<object>('texts/unreadable')()).sort()).toEqual(faults.sort());
  // The size of a file is checked where it is claimed.
  expect(faults.filter((name) => !code.includes(`'${name}'`))).toEqual(['file-too-large']);
});
