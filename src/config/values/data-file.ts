import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { INSTALLATION } from '../../domain/process/installation.js';
import { once } from '../../domain/process/once.js';

/**
 * A table of the program's own, `data/<name>.yaml`; it is read on first use. Where the program is bundled, the build has parsed the
 * tables (packaging/bundle.js).
 */
export function dataFile<Data>(name: string): () => Data {
  return once(() => parse(readFileSync(new URL(`data/${name}.yaml`, INSTALLATION), 'utf8')) as Data);
}
