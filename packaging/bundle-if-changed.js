import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Before npm start: a fresh clone has no program yet, and after a pull it would be an old one. A program that is up to date
// stays, because another process may be running it.
const root = join(import.meta.dirname, '..');
const program = join(root, 'dist/program/main.js');
const sources = ['src', 'data'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
);
const newest = Math.max(
  ...[...sources, 'package-lock.json'].map((path) => statSync(join(root, path)).mtimeMs),
);
if (!existsSync(program) || statSync(program).mtimeMs < newest) await import('./bundle.js');
