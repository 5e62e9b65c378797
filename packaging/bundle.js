import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { parse } from 'yaml';
import { writeLicenses } from './licenses.js';

// The program as it is shipped and tested: src/ with the packages it imports, in the few files that each command needs.
// Loading some five hundred modules one by one took half of the time of a command.
const OUTPUT = 'dist/program';

/**
 * Code that most commands need together is one file each, with what it imports: a file takes half a millisecond to be found
 * and read, as long as it takes to compile 15 kB that aren't needed. All else is divided by what needs it.
 */
const GROUPS = [
  // Help reports a failure and reads the values of options, and no configuration.
  { name: 'domain', test: /src.(domain|operations)|config-error|values.duration/, priority: 4 },
  { name: 'config', test: /src.config/, priority: 3 },
  // The thread that prepares rows opens no ledger.
  {
    name: 'keys',
    test: /src.ledger.(submissions.record.(keys|record-identifier|record-text)|submissions.staging.read-rows|store.sqlite.driver|decisions.corrected-learners)/,
    priority: 2,
  },
  { name: 'ledger', test: /src.(ledger(?!.store.postgres)|workspace)/, priority: 1 },
];

/** Of undici what src/ imports: all of it takes more than twice as long to load, and loads Node's own copy too. */
const UNDICI = `import api from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';`;

/** What zips workbooks makes buffers in a way that Node.js warns of outside of node_modules. */
const withoutWarning = (code) =>
  code.replaceAll('new Buffer(0)', 'Buffer.alloc(0)').replaceAll('new Buffer(', 'Buffer.from(');

const root = join(import.meta.dirname, '..');
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// Chunks have their content's hash in their names, so an older build's would stay.
rmSync(join(root, OUTPUT), { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  plugins: [
    { name: 'tables', load: { filter: { id: /values.data-file\.ts$/ }, handler: tables } },
    { name: 'undici', load: { filter: { id: /undici.index\.js$/ }, handler: () => UNDICI } },
    { name: 'archiver', transform: { filter: { id: /archiver-utils.index\.js$/ }, handler: withoutWarning } },
  ],
  // The worker threads are started by their names, which have to be beside the module that starts them.
  input: ['src/main.ts', 'src/staging/worker/prepare-worker.ts', 'src/console/queries/query-worker.ts'],
  platform: 'node',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  // The SSH client reads its own path; no file is read from there on the systems that Registrar runs on.
  transform: { define: { __dirname: 'import.meta.dirname' } },
  // What is compiled for the machine. The last two are parts of the SSH client, which does without them where they are missing.
  external: [...Object.keys(dependencies), 'cpu-features', /sshcrypto\.node$/],
});
const { output } = await bundle.write({
  dir: join(root, OUTPUT),
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: { groups: GROUPS },
});
writeLicenses(root, output);

/** The module of the program's tables with the files of data/ in it, parsed: to read YAML took a fifth of a short command. */
function tables() {
  const data = join(root, 'data');
  const files = readdirSync(data, { recursive: true }).filter((name) => name.endsWith('.yaml'));
  const parsed = files.map((name) => [
    name.replace(/\.yaml$/, ''),
    JSON.stringify(parse(readFileSync(join(data, name), 'utf8'))),
  ]);
  return `const TABLES = ${JSON.stringify(Object.fromEntries(parsed))};
export function dataFile(name) {
  let table;
  return () => (table ??= JSON.parse(TABLES[name]));
}`;
}
