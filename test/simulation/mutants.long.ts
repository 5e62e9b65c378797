import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { MUTANTS } from './mutants.js';
import { planted } from './plant.js';

const ROOT = join(import.meta.dirname, '../..');

const sourceOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

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

/** The compiler's errors; none: ''. */
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
