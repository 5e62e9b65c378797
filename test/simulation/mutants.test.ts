import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MUTANTS } from './mutants.js';
import { planted } from './plant.js';

const ROOT = join(import.meta.dirname, '../..');

const sourceOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

it('every bug fits the source at one place, and has a name of its own', () => {
  const misfits = MUTANTS.flatMap((mutant) => {
    try {
      return planted(sourceOf(mutant.file), mutant) === sourceOf(mutant.file)
        ? [`${mutant.name} changes nothing`]
        : [];
    } catch (error) {
      return [String(error)];
    }
  });
  expect(misfits).toEqual([]);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  expect(MUTANTS.flatMap(({ tests = 'test' }) => (existsSync(join(ROOT, tests)) ? [] : [tests]))).toEqual([]);
});

it('a bug that fits nowhere, or at two places, is reported with its piece', () => {
  const mutant = { file: 'src/a.ts', name: 'It never ends.', find: 'return 1;', replace: '' } as const;
  expect(planted('before\nreturn 1;\nafter', mutant)).toBe('before\n\nafter');
  expect(planted('return 1;', { ...mutant, replace: '$& + $1' })).toBe('$& + $1');
  expect(() => planted('return 2;', mutant)).toThrow(
    "src/a.ts doesn't hold the piece to be replaced, which must stand there once: return 1;\n  It never ends.",
  );
  expect(() => planted('return 1; return 1;', mutant)).toThrow('src/a.ts holds 2 times the piece');
});
