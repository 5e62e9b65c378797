import { existsSync } from 'node:fs';

/** With package.json, data/ and migrations/, whether modules are in src/, compiled or bundled. */
export const INSTALLATION = above(new URL('./', import.meta.url));

function above(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('../', folder);
  if (parent.href === folder.href) throw new Error(`no package.json above ${import.meta.url}`);
  return above(parent);
}
