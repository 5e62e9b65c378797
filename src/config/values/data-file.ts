import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { INSTALLATION } from '../../domain/process/installation.js';
import { once } from '../../domain/process/once.js';

/** A table of the program, `data/<name>.yaml`, read on first use; packaging/bundle.js parses it for the bundle. */
export function dataFile<Data>(name: string): () => Data {
  return once(() => parse(readFileSync(new URL(`data/${name}.yaml`, INSTALLATION), 'utf8')) as Data);
}
