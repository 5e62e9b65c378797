import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { PROGRAM_PACKAGES } from './support/program-packages.js';

/** Text of every source file by its path below src/. */
type Sources = Readonly<Record<string, string>>;

/** Layers from the bottom up: a part imports only from layers below its own, never from a part beside it. */
const LAYERS: readonly (readonly string[])[] = [
  ['domain', 'version'],
  ['documents'],
  ['operations', 'sandbox'],
  ['config'],
  ['workspace', 'intake', 'normalise', 'ledger', 'platform'],
  ['reading', 'inbox'],
  ['staging', 'push', 'report', 'upkeep', 'alerts'],
  ['actions'],
  ['monitor'],
  ['schedule'],
  ['console'],
  ['cli'],
  ['main'],
];

/** The corners of a room from the bottom up, as layers are; files of the room itself, outside its corners, are above them. */
const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ledger: [
    ['store'],
    ['access', 'leases'],
    ['permits'],
    ['drops'],
    ['submissions'],
    ['attempts'],
    ['decisions'],
    ['erasure'],
    ['books'],
    ['alerts', 'trace'],
  ],
  normalise: [['values'], ['header'], ['time'], ['mapping'], ['profile'], ['status'], ['infer']],
  console: [['queries', 'sign-in'], ['identity', 'work'], ['pages'], ['server'], ['api']],
};

/** Parts that may import less than their layer allows. */
const ONLY: Readonly<Record<string, readonly string[]>> = { documents: ['domain'], sandbox: ['domain'] };

/** Parts that not every layer above may import. */
const ONLY_FOR: Readonly<Record<string, readonly string[]>> = { sandbox: ['actions', 'cli'] };

/** Where each npm package may be imported: a folder or one file. A package that isn't here may be imported nowhere. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-s3': ['inbox/'],
  '@fastify/busboy': ['console/'],
  '@hono/node-server': ['console/'],
  '@inquirer/confirm': ['cli/prompts.ts'],
  '@inquirer/core': ['cli/prompts.ts'],
  '@inquirer/input': ['cli/prompts.ts'],
  '@inquirer/password': ['cli/prompts.ts'],
  '@inquirer/select': ['cli/prompts.ts'],
  'better-sqlite3': ['ledger/'],
  commander: ['cli/'],
  chardet: ['intake/'],
  'csv-parse': ['intake/'],
  exceljs: ['report/'],
  hono: ['console/'],
  kysely: ['ledger/'],
  // The second fires, by the clock of the machine.
  'node-cron': ['config/values/cron.ts', 'schedule/jobs/timed-job.ts'],
  marked: ['console/pages/help.ts'],
  nodemailer: ['alerts/'],
  'openid-client': ['console/'],
  openpgp: ['intake/'],
  // The second bounds the passwords that are compared at once.
  'p-limit': ['push/', 'actions/access/log-in.ts'],
  // The others take the type of a logger, nothing else.
  pg: ['ledger/store/postgres/'],
  pino: ['cli/logger.ts', 'cli/log-progress.ts', 'cli/log-service.ts'],
  'prom-client': ['monitor/metrics.ts'],
  'temporal-polyfill': ['normalise/', 'domain/clock.ts'],
  ssh2: ['inbox/'],
  undici: ['platform/'],
  yaml: ['config/'],
  yauzl: ['intake/'],
  // The second describes documents, the third what the HTTP interface takes.
  zod: ['config/', 'documents/', 'console/api/'],
};

const CLOCK = 'domain/clock.ts';

/** What the command line and the schedule leave to the actions: a command parses, calls one and shows its answer. */
const BEHIND_ACTIONS = ['ledger', 'reading', 'staging', 'push', 'upkeep', 'alerts'];

/** The parts that only query. */
const QUERYING = ['monitor', 'schedule', 'console', 'cli'];

/** The file that knows every command. */
const COMMAND_TABLE = 'cli/commands.ts';

const SOURCES = sourcesOf(new URL('../src/', import.meta.url));

/** The inside of the ledger's store, which only the ledger may use; the others use verbs. */
const INSIDE_THE_STORE =
  /\.(?:sqlite|statements)\b|\bledger\.db\b|\b(?:writing|reading)\(|\bimport \{[^}]*\} from '[./]*ledger\/store\/query\.js'/g;

/** The tests that look into a ledger's file: who damages one on purpose, and the tests of the store itself. */
const LOOKING_INSIDE: readonly string[] = [
  'conformance/sqlite-engine.ts',
  'deploy/litestream.test.ts',
  'domain/environment/fault.test.ts',
  'domain/submission.test.ts',
  'ledger/alerts/reconcile-alerts.test.ts',
  'ledger/store/',
  'ledger/submissions/hot-path.test.ts',
  'ledger/submissions/staging/read-rows.test.ts',
  'schedule/each-slot-once.ts',
  'simulation/process-ledger.ts',
  'support/damage.ts',
  'support/empty-ledger.ts',
  'support/table-scans.ts',
];

test('outside the ledger no module uses the inside of its store', () => {
  const uses = Object.entries(SOURCES).flatMap(([path, text]) =>
    path.startsWith('ledger/')
      ? []
      : [...withoutComments(text).matchAll(INSIDE_THE_STORE)].map(([use]) => `${path}: ${use}`),
  );
  expect(uses).toEqual([]);
});

/** Words that SQLite alone understands, or both engines differently. */
const ONE_ENGINES_WORDS =
  /\b(?:json_\w+|iif|ifnull|instr|strpos|group_concat|string_agg|hex|unhex|typeof|strftime|julianday|sqlite_\w+|pg_\w+|pragma|vacuum|greatest|least)\b(?=[ (`])|->>|\b(?:indexed by|cross join|rowid)\b|\b(?:max|min)\([^()]*,|(?<!')\bis (?:not )?'/g;

/** The files of the ledger that speak an engine's own words: its store, and what stages rows by the thousand. */
const IN_ONE_ENGINES_WORDS = ['ledger/store/', 'ledger/submissions/staging/'];

test('verbs use SQL that SQLite and PostgreSQL both understand; differences are in store/dialect.ts', () => {
  const words = Object.entries(SOURCES)
    .filter(([path]) => path.startsWith('ledger/'))
    .filter(([path]) => !IN_ONE_ENGINES_WORDS.some((folder) => path.startsWith(folder)))
    .flatMap(([path, text]) => {
      // What is written as SQL: between backticks, and in queries that are plain texts.
      const texts = withoutComments(text).match(/`[^`]*`|'(?:select|insert|update|delete) [^']*'/g) ?? [];
      return texts.flatMap((sql) => [...sql.matchAll(ONE_ENGINES_WORDS)].map(([word]) => `${path}: ${word}`));
    });
  expect(words).toEqual([]);
});

test('no test looks into a ledger but those that damage it, or are about the store itself', () => {
  const looking = ['test', 'bench'].flatMap((folder) =>
    Object.entries(sourcesOf(new URL(`../${folder}/`, import.meta.url)))
      .filter(([, text]) => /\.sqlite\b/.test(withoutComments(text)))
      .map(([path]) => path)
      .filter((path) => !LOOKING_INSIDE.some((named) => path.startsWith(named))),
  );
  expect(looking.filter((path) => path !== 'architecture.test.ts')).toEqual([]);
});

test('every import goes the way of the layers, every package through its door, and time through the clock', () => {
  expect(faultsOf(SOURCES)).toEqual([]);
});

test('no file imports itself by way of others, be it for types alone', () => {
  expect(circlesIn(SOURCES)).toEqual([]);
});

test('docs/design.md names every room and every corner of one', () => {
  const design = readFileSync(new URL('../docs/design.md', import.meta.url), 'utf8');
  const folders = Object.keys(SOURCES).flatMap((path) => path.split('/').slice(0, -1).slice(0, 2));
  expect([...new Set(folders)].filter((folder) => !design.includes(`\`${folder}\``))).toEqual([]);
});

test('docs/design.md has the order of corners', () => {
  const design = readFileSync(new URL('../docs/design.md', import.meta.url), 'utf8');
  const rows = Object.entries(FLOORS).map(([room, floors]) => {
    const order = floors.map((floor) => floor.map((corner) => `\`${corner}\``).join(', ')).join(' < ');
    return `| \`${room}\` | ${order} |`;
  });
  expect(rows.filter((row) => !design.includes(row))).toEqual([]);
});

/** A file holds one idea, and a folder fits on one screen; the command line has a file for each command. */
const MAX_LINES = 350;
const MAX_FILES = 15;
const LARGE_FOLDERS: readonly string[] = ['cli'];

test('no file is too long, no folder too full', () => {
  const paths = Object.keys(SOURCES);
  const long = paths.filter((path) => (SOURCES[path] ?? '').split('\n').length - 1 > MAX_LINES);
  const folders = [...new Set(paths.map(posix.dirname))].filter((folder) => !LARGE_FOLDERS.includes(folder));
  const full = folders.filter(
    (folder) => paths.filter((path) => posix.dirname(path) === folder).length > MAX_FILES,
  );
  expect([...long, ...full]).toEqual([]);
});

test('each package of the program has a door, and a line in docs/design.md', () => {
  expect([...PROGRAM_PACKAGES].sort()).toEqual(Object.keys(DOORS).sort());
});

describe('a bad edge is named', () => {
  it.each<[string, string, string, string]>([
    [
      'upwards',
      'domain/row.ts',
      "import { x } from '../ledger/store/open.js';",
      'domain/row.ts imports ../ledger/store/open.js: domain is below ledger',
    ],
    [
      'upwards for a type alone',
      'operations/operation.ts',
      "import type { Config } from '../config/schema.js';",
      'operations/operation.ts imports ../config/schema.js: operations is below config',
    ],
    [
      'upwards over several lines',
      'config/schema.ts',
      "import {\n  type A,\n  b,\n} from '../intake/open-drop.js';",
      'config/schema.ts imports ../intake/open-drop.js: config is below intake',
    ],
    [
      'between siblings',
      'platform/token.ts',
      "import { takePermit } from '../ledger/permits/quota.js';",
      "platform/token.ts imports ../ledger/permits/quota.js: platform and ledger are siblings, which don't know each other",
    ],
    [
      'between siblings by a dynamic import',
      'push/deliver.ts',
      "const { reconcile } = await import('../report/report.js');",
      "push/deliver.ts imports ../report/report.js: push and report are siblings, which don't know each other",
    ],
    [
      'between siblings by a re-export',
      'intake/open-drop.ts',
      "export { findHeader } from '../normalise/mapping/find-header.js';",
      "intake/open-drop.ts imports ../normalise/mapping/find-header.js: intake and normalise are siblings, which don't know each other",
    ],
    [
      'for its side effects alone',
      'staging/import-files.ts',
      "import '../actions/run.js';",
      'staging/import-files.ts imports ../actions/run.js: staging is below actions',
    ],
    [
      'from the sandbox to anything but domain',
      'sandbox/platform.ts',
      "import { durationMs } from '../version.js';",
      'sandbox/platform.ts imports ../version.js: sandbox may import only domain',
    ],
    [
      'to the sandbox from the program proper',
      'push/deliver.ts',
      "import { startSandbox } from '../sandbox/server.js';",
      'push/deliver.ts imports ../sandbox/server.js: only actions, cli may import sandbox',
    ],
    [
      'to a part without a layer',
      'cli/run.ts',
      "import { pad } from '../helpers/pad.js';",
      'cli/run.ts imports ../helpers/pad.js: helpers has no place among the layers',
    ],
    [
      'out of src',
      'cli/run.ts',
      "import { temp } from '../../test/support/temp-folder.js';",
      'cli/run.ts imports ../../test/support/temp-folder.js: it is outside src/',
    ],
    [
      'to a package through another door',
      'report/report.ts',
      "import { sql } from 'kysely';",
      'report/report.ts imports kysely: its door is ledger/',
    ],
    [
      "to a package's inner module through another door",
      'push/deliver.ts',
      "import type { Logger } from 'pino/pino.js';",
      'push/deliver.ts imports pino/pino.js: its door is cli/logger.ts or cli/log-progress.ts or cli/log-service.ts',
    ],
    [
      'to a package that has no door',
      'report/write-report.ts',
      "import { Workbook } from 'xlsx-populate';",
      'report/write-report.ts imports xlsx-populate: no place in src/ may',
    ],
    [
      'with an unreadable target',
      'cli/run.ts',
      'await import(`./${name}.js`);',
      'cli/run.ts imports something that is no plain text: write the path itself',
    ],
    [
      'around the clock',
      'ledger/leases/runs.ts',
      'const now = Date.now();',
      'ledger/leases/runs.ts asks for the time itself (Date.now): time comes through domain/clock.ts',
    ],
    [
      'around the clock by a new date',
      'push/answer-policy.ts',
      'return new Date(ms).toISOString();',
      'push/answer-policy.ts asks for the time itself (new Date): time comes through domain/clock.ts',
    ],
    [
      'upwards in a room',
      'ledger/drops/begin-drop.ts',
      "import { claim } from '../submissions/claims.js';",
      'ledger/drops/begin-drop.ts imports ../submissions/claims.js: drops is below submissions',
    ],
    [
      'upwards in a room for a type alone',
      'ledger/store/query.ts',
      "import type { Lease } from '../leases/leases.js';",
      'ledger/store/query.ts imports ../leases/leases.js: store is below leases',
    ],
    [
      'between corners of one floor',
      'ledger/trace/read-trace.ts',
      "import { recordNotification } from '../alerts/record-notification.js';",
      "ledger/trace/read-trace.ts imports ../alerts/record-notification.js: trace and alerts are siblings, which don't know each other",
    ],
    [
      'to files above the corners of a room',
      'normalise/header/header-text.ts',
      "import type { RowSource } from '../normalise-row.js';",
      'normalise/header/header-text.ts imports ../normalise-row.js: header is below the files of normalise itself',
    ],
    [
      'to a corner without a floor',
      'ledger/books/read-books.ts',
      "import { pad } from '../helpers/pad.js';",
      'ledger/books/read-books.ts imports ../helpers/pad.js: helpers has no place among the corners of ledger',
    ],
    ...BEHIND_ACTIONS.map((part): [string, string, string, string] => [
      `from a command to ${part}`,
      'cli/run.ts',
      `import type { Some } from '../${part}/some.js';`,
      `cli/run.ts imports ../${part}/some.js: that is for an action to do`,
    ]),
  ])('%s', (_, path, text, fault) => {
    expect(faultsOf({ [path]: text })).toEqual([fault]);
  });

  it('from the schedule to what actions do', () => {
    const sources = { 'schedule/run-schedule.ts': "import { run } from '../ledger/leases/runs.js';" };
    const fault = 'schedule/run-schedule.ts imports ../ledger/leases/runs.js: that is for an action to do';
    expect(faultsOf(sources)).toEqual([fault]);
  });

  it('from one command to another', () => {
    const text = 'export async function answer({ io }: Call<CheckOptions>): Promise<Answer> {}';
    const sources = { 'cli/check.ts': text, 'cli/init.ts': "import { show } from './check.js';" };
    expect(faultsOf(sources)).toEqual(['cli/init.ts imports ./check.js: no command knows another']);
  });

  it.each([
    ['of two files', { 'a.ts': "import './b.js';", 'b.ts': "import './a.js';" }, 'a.ts -> b.ts -> a.ts'],
    [
      'for a type alone',
      { 'a.ts': "import { b } from './b.js';", 'b.ts': "import type { A } from './a.js';" },
      'a.ts -> b.ts -> a.ts',
    ],
    [
      'over folders, by a re-export and a dynamic import',
      {
        'cli/a.ts': "export { b } from '../push/b.js';",
        'push/b.ts': "import { c } from './c.js';",
        'push/c.ts': "await import('../cli/a.js');",
      },
      'cli/a.ts -> push/b.ts -> push/c.ts -> cli/a.ts',
    ],
    ['of one file', { 'a.ts': "import { a } from './a.js';" }, 'a.ts -> a.ts'],
  ])('in a circle %s', (_, sources, circle) => {
    expect(circlesIn({ ...sources, 'd.ts': "import './a.js';" })).toEqual([circle]);
  });

  it('but not a good one', () => {
    expect(
      faultsOf({
        'cli/demo.ts':
          "import { startSandbox } from '../sandbox/server.js';\nimport { join } from 'node:path';",
        'cli/check.ts': "import { openDrop } from '../intake/open-drop.js';\nimport { show } from './io.js';",
        'cli/io.ts': 'export function show() {}',
        'cli/commands.ts': "await import('./status.js');",
        'cli/status.ts': 'export async function answer(call: Call): Promise<Answer> {}',
        'main.ts': "import { createProgram } from './cli/program.js';",
        'ledger/store/open.ts': "import BetterSqlite3, { type Database } from 'better-sqlite3';",
        'domain/clock.ts': 'export const now = () => Date.now();',
      }),
    ).toEqual([]);
  });

  it('nor one in a comment', () => {
    const text = "/** Unlike `import '../cli/run.js'`. */\n// import '../cli/run.js'; new Date()\nexport {};";
    expect(faultsOf({ 'domain/row.ts': text })).toEqual([]);
  });
});

/** Every breach of the rules, each named with its file, its import and the rule. */
function faultsOf(sources: Sources): string[] {
  const commands = commandsIn(sources);
  return Object.entries(sources).flatMap(([path, text]) => {
    const code = withoutComments(text);
    const edges = importsIn(code).flatMap((target) => {
      const rule =
        target === null
          ? 'write the path itself'
          : (brokenRule(path, target) ?? doneByItself(path, target, commands));
      return rule === null ? [] : [`${path} imports ${target ?? 'something that is no plain text'}: ${rule}`];
    });
    const times = path === CLOCK ? [] : [...new Set(code.match(/\bDate\.now\b|\bnew Date\b/g))];
    return [
      ...edges,
      ...times.map((how) => `${path} asks for the time itself (${how}): time comes through ${CLOCK}`),
    ];
  });
}

/** null: the import follows the rules. */
function brokenRule(path: string, target: string): string | null {
  if (target.startsWith('node:')) return null;
  if (!target.startsWith('.')) return brokenDoor(path, target);
  const resolved = posix.join(posix.dirname(path), target);
  if (resolved.startsWith('..')) return 'it is outside src/';
  const [from, to] = [partOf(path), partOf(resolved)];
  if (from === to) return brokenFloor(from, path, resolved);
  const [own, other] = [layerOf(from), layerOf(to)];
  if (own < 0 || other < 0) return `${own < 0 ? from : to} has no place among the layers`;
  if (ONLY[from] && !ONLY[from].includes(to)) return `${from} may import only ${ONLY[from].join(', ')}`;
  if (own === other) return `${from} and ${to} are siblings, which don't know each other`;
  if (own < other) return `${from} is below ${to}`;
  if (ONLY_FOR[to] && !ONLY_FOR[to].includes(from)) return `only ${ONLY_FOR[to].join(', ')} may import ${to}`;
  return null;
}

/** The same within a room whose corners have an order. */
function brokenFloor(room: string, path: string, resolved: string): string | null {
  const floors = FLOORS[room];
  const [from, to] = [cornerOf(path), cornerOf(resolved)];
  if (floors === undefined || from === to) return null;
  const floorOf = (corner: string | null) =>
    corner === null ? floors.length : floors.findIndex((floor) => floor.includes(corner));
  const [own, other] = [floorOf(from), floorOf(to)];
  if (own < 0 || other < 0) return `${own < 0 ? from : to} has no place among the corners of ${room}`;
  if (own === other) return `${from} and ${to} are siblings, which don't know each other`;
  return own < other ? `${from} is below ${to ?? `the files of ${room} itself`}` : null;
}

/** The rule that a file which only queries breaks by doing more than to call an action; null: it breaks none. */
function doneByItself(path: string, target: string, commands: readonly string[]): string | null {
  if (!QUERYING.includes(partOf(path)) || !target.startsWith('.')) return null;
  const imported = fileOf(path, target);
  if (BEHIND_ACTIONS.includes(partOf(imported))) return 'that is for an action to do';
  return path !== COMMAND_TABLE && commands.includes(imported) ? 'no command knows another' : null;
}

/** The files that carry a command out. */
function commandsIn(sources: Sources): string[] {
  const command = /^export (?:async )?function answer\(/m;
  return Object.keys(sources).filter((path) => partOf(path) === 'cli' && command.test(sources[path] ?? ''));
}

/** The circles of imports, each once and as short as it can be, from its first file by name: `a.ts -> b.ts -> a.ts`. */
function circlesIn(sources: Sources): string[] {
  const imports = new Map(
    Object.entries(sources).map(([path, text]) => [
      path,
      importsIn(withoutComments(text)).flatMap((target) =>
        target?.startsWith('.') ? [fileOf(path, target)] : [],
      ),
    ]),
  );
  const circles = [...imports.keys()].flatMap((path) => {
    const circle = wayBack(path, imports);
    return circle?.every((other) => path <= other) ? [circle.join(' -> ')] : [];
  });
  return circles.sort();
}

/** The shortest way from a file over its imports to itself; null: there is none. */
function wayBack(start: string, imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const seen = new Set<string>();
  let ways: string[][] = [[start]];
  while (ways.length > 0) {
    const next: string[][] = [];
    for (const way of ways) {
      for (const target of imports.get(way.at(-1) ?? '') ?? []) {
        if (target === start) return [...way, start];
        if (!seen.has(target)) next.push([...way, target]);
        seen.add(target);
      }
    }
    ways = next;
  }
  return null;
}

/** The path below src/ of what a relative import means. */
function fileOf(path: string, target: string): string {
  return posix.join(posix.dirname(path), target).replace(/\.js$/, '.ts');
}

function brokenDoor(path: string, target: string): string | null {
  const name = target.split('/', target.startsWith('@') ? 2 : 1).join('/');
  const doors = DOORS[name];
  if (!doors) return 'no place in src/ may';
  return doors.some((door) => path.startsWith(door)) ? null : `its door is ${doors.join(' or ')}`;
}

/** The folder below src/, or the name of a file directly in it. */
function partOf(path: string): string {
  return (path.split('/')[0] ?? '').replace(/\.(ts|js)$/, '');
}

/** The folder below the room; null for a file of the room itself. */
function cornerOf(path: string): string | null {
  const [, corner, ...rest] = path.split('/');
  return rest.length === 0 ? null : (corner ?? null);
}

function layerOf(part: string): number {
  return LAYERS.findIndex((layer) => layer.includes(part));
}

/** What a file imports or re-exports, statically, for types or dynamically; null: a path that isn't a literal. */
function importsIn(code: string): (string | null)[] {
  const literal = String.raw`\s*(['"])([^'"]+)\1`;
  const froms = code.matchAll(new RegExp(String.raw`\b(?:import|export)\b[^'"\`;]*?\bfrom${literal}`, 'g'));
  const effects = code.matchAll(new RegExp(String.raw`\bimport${literal}`, 'g'));
  const dynamic = code.matchAll(/\bimport\(\s*(?:(['"])([^'"]+)\1\s*\))?/g);
  return [...froms, ...effects, ...dynamic].map((match) => match[2] ?? null);
}

/** A line comment begins at the start of the line or after a blank, which the `//` of an address never does. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function sourcesOf(folder: URL): Sources {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return Object.fromEntries(
    files.map((name) => [name.replaceAll('\\', '/'), readFileSync(new URL(name, folder), 'utf8')]),
  );
}
