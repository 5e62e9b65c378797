import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** What the program reads of its own files. */
const PARTS = [
  'package.json',
  'LICENSE',
  'CHANGELOG.md',
  'README.md',
  'dist/program',
  'migrations',
  'data',
  'deploy',
  'docs',
];

/** Only installing needs it: it downloads or compiles what is already there. */
const INSTALLERS = new Set(['prebuild-install']);

const START = `#!/bin/sh
# Starts Registrar with the Node.js beside it, wherever this file is linked from.
lib=$(dirname "$(readlink -f "$0")")/../lib/registrar
exec "$lib/node" "$lib/dist/program/main.js" "$@"
`;

/**
 * Installs the bundled program with its modules and the Node.js that runs this, as `bin/registrar` and `lib/registrar` below a
 * folder. It needs nothing else there but the C library.
 */
export function installProgram(root, folder) {
  const lib = join(folder, 'lib/registrar');
  for (const part of PARTS) copy(root, lib, part);
  for (const path of runtimeModules(root)) copy(root, lib, path);
  cpSync(process.execPath, join(lib, 'node'));
  chmodSync(join(lib, 'node'), 0o755);
  const licence = join(dirname(process.execPath), '../LICENSE');
  if (existsSync(licence)) cpSync(licence, join(lib, 'LICENSE.node'));
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin/registrar'), START, { mode: 0o755 });
  return lib;
}

function copy(root, lib, path) {
  cpSync(join(root, path), join(lib, path), {
    recursive: true,
    dereference: true,
    filter: (file) => !isLeftOver(file),
  });
}

/** Leftovers of compiling, and files for the maintainers of a module. */
function isLeftOver(file) {
  return (
    /better-sqlite3.(?:deps|src)$|\.(?:map|o|a|ts|md\.orig)$/.test(file) ||
    (/better-sqlite3.build.Release./.test(file) && !file.endsWith('better_sqlite3.node'))
  );
}

/** Folders of the packages that the bundle leaves out, with those that they need, from the repository's folder. */
export function runtimeModules(root) {
  const found = new Set();
  const addNeeded = (from) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, from, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      if (INSTALLERS.has(name)) continue;
      const path = placeOf(root, name, from);
      if (found.has(path)) continue;
      found.add(path);
      addNeeded(path);
    }
  };
  addNeeded('');
  // A package within another one comes with it.
  return [...found].filter((path) => path.lastIndexOf('node_modules/') === 0);
}

/** The folder of a package, as Node.js finds it from another package's folder. */
function placeOf(root, name, from) {
  const folders = createRequire(join(root, from, 'package.json')).resolve.paths('any');
  const found = folders
    .map((folder) => join(folder, name))
    .find((path) => existsSync(join(path, 'package.json')));
  if (found === undefined)
    throw new Error(`${name}, which ${from || 'the program'} needs, isn't installed: run npm ci`);
  return relative(root, found);
}
