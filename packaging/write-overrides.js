import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// npm heeds the overrides of package.json in this repository alone, not where the package is installed, so exceljs is
// packed with it, and with what it needs here. Its manifest must ask for that: npm ci of a project that has the
// package, and npm ls, else find versions that don't fit. This writes the overrides there, before npm packs.
const { bundleDependencies, overrides } = readJson('package.json');

for (const name of bundleDependencies) {
  const path = join('node_modules', name, 'package.json');
  const manifest = readJson(path);
  const dependencies = { ...manifest.dependencies, ...overrides[name] };
  // Another file in its place: npm's cache or another checkout may share the one that is there.
  writeFileSync(`${path}.new`, `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
