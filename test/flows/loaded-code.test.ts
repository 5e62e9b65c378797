import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { once } from '../../src/domain/process/once.js';
import { csvOf, exportRows } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { PROGRAM_PACKAGES } from '../support/program-packages.js';
import { runInSeriesAfter } from '../support/run-in-series-after.js';
import { testWorkspace } from '../support/workspace.js';

const PROGRAM = fileURLToPath(new URL('../../dist/program/', import.meta.url));

// To load code is most of the time that a short command takes.

/** The parts of src/ that carry commands out. */
const CARRYING = ['intake', 'ledger', 'normalise', 'platform', 'push', 'staging', 'upkeep', 'workspace'];

/** The packages that open the ledger of a test. */
const LEDGER = ['better-sqlite3', 'kysely', ...(process.env.LEDGER === 'postgres' ? ['pg'] : [])];

/** Run by one process, in an order in which none loads code that a later one must not. */
const LINES = [
  '--version',
  '--help',
  'run --help',
  'insepct',
  'status',
  'healthcheck',
  'run --quiet --source academy',
  'run --quiet',
];

it.each([
  ['the version', '--version', 0],
  ['help', '--help', 0],
  ['help of one command', 'run --help', 0],
  ['an unknown command', 'insepct', 2],
])('%s loads only what reads command lines', async (_, line, code) => {
  const loaded = await loadedUntil(line, code);
  expect(loaded.packages).toEqual(['commander']);
  expect(loaded.parts).toContain('cli');
  expect(loaded.parts.filter((part) => CARRYING.includes(part))).toEqual([]);
});

it('status loads the ledger and the configuration, and nothing that reads files or sends', async () => {
  const { packages, parts } = await loadedUntil('status', 0);
  expect(packages).toEqual([...LEDGER, 'commander', 'node-cron', 'yaml', 'zod'].sort());
  expect(parts).toContain('ledger');
  expect(parts.filter((part) => ['normalise', 'push', 'reading', 'staging'].includes(part))).toEqual([]);
});

it('a health check loads what status loads, and no server or metrics', async () => {
  const { packages, parts } = await loadedUntil('healthcheck', 0);
  expect(packages).toEqual([...LEDGER, 'commander', 'node-cron', 'yaml', 'zod'].sort());
  expect(parts.filter((part) => ['monitor', 'normalise', 'push', 'staging'].includes(part))).toEqual([]);
});

it('a run that finds nothing to do loads nothing that reads files, sends or writes reports', async () => {
  const { packages, parts } = await loadedUntil('run --quiet --source academy', 0);
  expect(packages).toEqual([...LEDGER, 'commander', 'node-cron', 'p-limit', 'pino', 'yaml', 'zod'].sort());
  expect(parts).toContain('push');
});

it('a run that finds a file loads what reads it', async () => {
  const { packages } = await loadedUntil('run --quiet', 0);
  expect(packages).toEqual(expect.arrayContaining(['csv-parse', 'temporal-polyfill', 'undici']));
});

it('the thread that prepares the rows of a file opens no ledger', () => {
  const packages = packagesOf([...withImports(join(PROGRAM, 'prepare-worker.js'))].flatMap(modulesOf));
  expect(packages).toContain('csv-parse');
  expect(packages).not.toContain('kysely');
});

const delivered = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ root });
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.run();
  return workspace;
});

/** The lines above by one process in turn. */
const inOneProcess = once(carriedOut);

/**
 * The packages and the parts of src/ whose code a command line and those before it load, sorted, in a workspace in which
 * everything is delivered but a file of another source than academy.
 */
async function loadedUntil(line: string, code: number) {
  const { ends, loaded } = await inOneProcess();
  expect(ends.find((end) => end.line === line)).toMatchObject({ code });
  const until = LINES.slice(0, LINES.indexOf(line) + 1);
  const modules = loaded.flatMap((script) => (until.includes(script.line) ? script.modules : []));
  return { packages: packagesOf(modules), parts: named(modules, /^src\/([^/.]+)/) };
}

/** Records each script that the process loads, and the command line that it then runs. */
const NOTING = `
import { appendFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params: { url } }) => {
  if (!url.startsWith('file:')) return;
  const script = { line: process.argv.slice(2).join(' '), path: fileURLToPath(url.replace(/\\?.*/, '')) };
  appendFileSync(new URL('scripts.jsonl', import.meta.url), JSON.stringify(script) + '\\n');
});
session.post('Debugger.enable');
`;

async function carriedOut() {
  const workspace = await delivered({ sources: { academy: {}, campus: {} } });
  workspace.drop('b.csv', csvOf(exportRows(5)), 'campus');
  const hook = join(workspace.root, 'noting.mjs');
  writeFileSync(hook, NOTING);
  const { ends } = await runInSeriesAfter(hook, workspace, LINES);
  const scripts = readFileSync(join(workspace.root, 'scripts.jsonl'), 'utf8').trimEnd().split('\n');
  const loaded = scripts.map((text) => {
    const { line, path } = JSON.parse(text) as { line: string; path: string };
    return { line, modules: modulesOf(path) };
  });
  return { ends, loaded };
}

/** The packages of the program that these modules are of, sorted; those that come with them are left out. */
function packagesOf(modules: readonly string[]): string[] {
  return named(modules, /.*node_modules\/((?:@[^/]+\/)?[^/]+)/).filter((name) =>
    PROGRAM_PACKAGES.includes(name),
  );
}

function named(modules: readonly string[], pattern: RegExp): string[] {
  return [...new Set(modules.flatMap((path) => pattern.exec(path)?.[1] ?? []))].sort();
}

/** A bundled script and those that it imports before it begins. */
function withImports(script: string, known: Set<string> = new Set()): ReadonlySet<string> {
  if (known.has(script)) return known;
  known.add(script);
  for (const [, name = ''] of readFileSync(script, 'utf8').matchAll(/^import .*"\.\/([^"]+)";$/gm)) {
    withImports(join(PROGRAM, name), known);
  }
  return known;
}

/** Paths of the modules that were bundled into a script, from the repository's folder; its own where it is no bundle. */
function modulesOf(script: string): string[] {
  if (script.includes('node_modules')) return [script];
  return readFileSync(script, 'utf8').match(/(?<=^\/\/ )(?:src|node_modules)\/\S+$/gm) ?? [];
}
