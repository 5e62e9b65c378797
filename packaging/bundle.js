import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

// The program as it is shipped and tested: src/ with the packages it imports, in the few files that each command needs.
// Loading some five hundred modules one by one took half of what a command took in all.
const OUTPUT = 'dist/program';

const root = join(import.meta.dirname, '..');
// Chunks have their content's hash in their names, so an older build's would stay.
rmSync(join(root, OUTPUT), { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  // The worker threads are started by their names, which have to lie beside the module that starts them.
  input: ['src/main.ts', 'src/staging/plan-worker.ts', 'src/staging/prepare-worker.ts'],
  platform: 'node',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  // One is compiled for the machine; the other is large, seldom loaded, and bundled by npm itself.
  external: ['better-sqlite3', 'exceljs'],
});
await bundle.write({
  dir: join(root, OUTPUT),
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
