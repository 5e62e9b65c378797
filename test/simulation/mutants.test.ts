import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
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

it('every planted bug compiles, as one that a person writes would', { timeout: 300_000 }, () => {
  const folder = tempFolder();
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  cpSync(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  // The originals are checked elsewhere; here they only say what their exports are.
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    mkdirSync(join(folder, 'src', dirname(file)), { recursive: true });
    writeFileSync(join(folder, 'src', file), `// @ts-nocheck\n${sourceOf(join('src', file))}`);
  }
  // Each beside its original, so that one call of the compiler sees all of them.
  const files = MUTANTS.map((mutant, index) => {
    const file = mutant.file.replace(/\.ts$/, `.mutant-${index}.ts`);
    writeFileSync(join(folder, file), planted(sourceOf(mutant.file), mutant));
    return file;
  });
  writeFileSync(
    join(folder, 'mutants.json'),
    JSON.stringify({ extends: './tsconfig.json', include: [], files }),
  );
  expect(complaintsOf(folder)).toBe('');
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

/** What the compiler says; nothing: ''. */
function complaintsOf(folder: string): string {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    return execFileSync(process.execPath, [tsc, '-p', 'mutants.json', '--checkers', '1'], {
      cwd: folder,
      encoding: 'utf8',
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
