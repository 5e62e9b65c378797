import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { transformSync } from 'rolldown/utils';
import { MUTANTS, type Mutant } from './mutants.js';
import { planted } from './plant.js';

/**
 * Plants one bug after another in a copy of the program and says which invariant notices it, in the how many-th world, or
 * which test does. Ends with 1 where one is noticed by nothing.
 *   [--seeds 300]   so many worlds for each
 *   [guard …]       only bugs whose file, name or piece has one of these words in it
 */
const { values, positionals: words } = parseArgs({
  options: { seeds: { type: 'string', default: '300' } },
  allowPositionals: true,
});

const DIST = fileURLToPath(new URL('../../', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A world takes a tenth of a second, one that never comes to its end some seconds; what keeps the program busy for ever ends none. */
const LONGEST_WORLD_MS = 600_000;

/** The outcome of a planted bug. */
type Found = { readonly by: string } | { readonly missed: string };

/** A copy of the program in which one bug at a time is planted. */
interface Burrow {
  readonly folder: string;
  readonly simulateSeeds: typeof import('./simulate-seeds.js').simulateSeeds;
}

const wanted = MUTANTS.filter(
  ({ file, name, find }) =>
    words.length === 0 || words.some((word) => [file, name, find].some((line) => line.includes(word))),
);
const began = process.hrtime.bigint();
const folder = mkdtempSync(join(tmpdir(), 'registrar-mutants-'));
try {
  const left = [...wanted];
  let missed = 0;
  const hunt = async (index: number) => {
    const burrow = await dig(join(folder, String(index)));
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const found = await findIn(burrow, mutant);
      if ('missed' in found) missed += 1;
      const verdict = 'by' in found ? found.by : `NOTICED BY NOTHING: ${found.missed}`;
      console.log(`${mutant.file}: ${mutant.name}\n    ${verdict}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, (_, index) => hunt(index)));
  const seconds = Number((process.hrtime.bigint() - began) / 1_000_000_000n);
  console.log(`${wanted.length} planted, ${wanted.length - missed} noticed; ${seconds} s`);
  process.exitCode = missed === 0 && wanted.length > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function dig(burrow: string): Promise<Burrow> {
  for (const name of ['src', 'test']) {
    cpSync(join(DIST, name), join(burrow, 'dist', name), { recursive: true });
    cpSync(join(ROOT, name), join(burrow, name), { recursive: true });
  }
  for (const name of ['migrations', 'data', 'node_modules', 'package.json', 'tsconfig.json']) {
    symlinkSync(join(ROOT, name), join(burrow, name));
  }
  cpSync(join(ROOT, 'vitest.config.ts'), join(burrow, 'vitest.config.ts'));
  const module = pathToFileURL(join(burrow, 'dist/test/simulation/simulate-seeds.js')).href;
  const { simulateSeeds } = (await import(module)) as typeof import('./simulate-seeds.js');
  return { folder: burrow, simulateSeeds };
}

async function findIn(burrow: Burrow, mutant: Mutant): Promise<Found> {
  const source = join(burrow.folder, mutant.file);
  const compiled = join(burrow.folder, 'dist', mutant.file.replace(/\.ts$/, '.js'));
  const sound = [source, compiled].map((path) => readFileSync(path, 'utf8'));
  const [text = ''] = sound;
  const broken = planted(text, mutant);
  writeFileSync(source, broken);
  writeFileSync(compiled, compiledFrom(mutant.file, broken));
  try {
    return mutant.tests === undefined ? await inWorlds(burrow) : await inTests(burrow, mutant.tests);
  } finally {
    for (const [index, path] of [source, compiled].entries()) writeFileSync(path, sound[index] ?? '');
  }
}

function compiledFrom(file: string, source: string): string {
  const { code, errors } = transformSync(file, source, { typescript: { onlyRemoveTypeImports: true } });
  const [error] = errors;
  if (error) throw new Error(`${file} doesn't compile with its bug: ${error.message}`);
  return code;
}

/** The first invariant that breaks. Each thread loads the program again. */
async function inWorlds({ simulateSeeds }: Burrow): Promise<Found> {
  const worlds = Number(values.seeds);
  const stop = new AbortController();
  let found: Found | null = null;
  let worldsEnded = 0;
  const end = (what: Found) => {
    found ??= what;
    stop.abort();
  };
  // The machine may be that busy: nothing was seen to break.
  const tooLong = () => end({ missed: `world ${worldsEnded + 1} doesn't end` });
  let watch = setTimeout(tooLong, LONGEST_WORLD_MS);
  const ended: Parameters<typeof simulateSeeds>[3] = ({ result: { violation } }) => {
    worldsEnded += 1;
    clearTimeout(watch);
    if (violation !== null) return end({ by: `${ordinal(worldsEnded)} world: ${violation.sentence}` });
    watch = setTimeout(tooLong, LONGEST_WORLD_MS);
  };
  try {
    // One thread, so that the worlds come in the order of their seeds.
    await simulateSeeds(1, worlds, 1, ended, stop.signal);
  } catch (error) {
    // It shows nothing of an invariant, and must not pass for a bug that one has noticed.
    return { missed: `world ${worldsEnded + 1} can't be simulated: ${error}` };
  } finally {
    clearTimeout(watch);
  }
  return found ?? { missed: `${worlds} worlds are as they should be` };
}

/** The first test that fails. */
async function inTests({ folder }: Burrow, tests: string): Promise<Found> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--root', folder, '--reporter=json', tests], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  if (code === 0) return { missed: `${tests} passes` };
  const { testResults } = JSON.parse(printed.slice(printed.indexOf('{'))) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.find(({ status }) => status === 'failed');
  return failed ? { by: `${tests}: ${failed.fullName}` } : { missed: `${tests} can't be run` };
}

function ordinal(number: number): string {
  const tens = number % 100;
  const suffix = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}
