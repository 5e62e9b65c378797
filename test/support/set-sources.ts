import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkspace } from './workspace.js';

/** Writes further settings of all sources into registrar.yaml. */
export function setSources({ root }: Pick<TestWorkspace, 'root'>, settings: Record<string, unknown>): void {
  const path = join(root, 'registrar.yaml');
  const config = JSON.parse(readFileSync(path, 'utf8')) as { sources: Record<string, unknown>[] };
  config.sources = config.sources.map((source) => ({ ...source, ...settings }));
  writeFileSync(path, JSON.stringify(config));
}
