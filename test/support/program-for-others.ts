import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './installed-modules.js';
import { tempFolder } from './temp-folder.js';

/** What the program reads of its installation, but for the writer of workbooks. */
const PARTS = [
  'data/presets',
  'data/texts',
  'data/words',
  'data/zones.yaml',
  'dist/program',
  'migrations',
  'node_modules/better-sqlite3/build/Release/better_sqlite3.node',
  'node_modules/better-sqlite3/lib',
  'node_modules/better-sqlite3/package.json',
  'node_modules/bindings',
  'node_modules/file-uri-to-path',
  'package.json',
];

/**
 * Copies the compiled program to where every user can read it, for the running test: a repository may be in a folder that
 * is closed to others. @returns the path of its entry.
 */
export function programForOthers(): string {
  const folder = tempFolder();
  for (const path of PARTS) cpSync(join(REPOSITORY, path), join(folder, path), { recursive: true });
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  return join(folder, 'dist/program/main.js');
}
