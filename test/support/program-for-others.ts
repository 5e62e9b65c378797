import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.js';
import { REPOSITORY } from './installed-modules.js';

/** What the program reads of its installation. */
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

let copied: string | null = null;

/**
 * Copies the compiled program to where every user can read it, once for each test file: a repository may be in a folder
 * that is closed to others. @returns the path of its entry.
 */
export function programForOthers(): string {
  copied ??= copiedProgram();
  return copied;
}

function copiedProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-'));
  afterFile(async () => {
    copied = null;
    rmSync(folder, { recursive: true, force: true });
  });
  for (const path of PARTS) cpSync(join(REPOSITORY, path), join(folder, path), { recursive: true });
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  return join(folder, 'dist/program/main.js');
}
