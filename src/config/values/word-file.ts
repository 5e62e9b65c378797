import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { INSTALLATION } from '../../domain/process/installation.js';
import { once } from '../../domain/process/once.js';

/** A table of words of the program's own, `data/texts/<name>.yaml`; it is read on first use. */
export function wordFile<Words>(name: string): () => Words {
  return once(() => parse(readFileSync(new URL(`data/texts/${name}.yaml`, INSTALLATION), 'utf8')) as Words);
}
