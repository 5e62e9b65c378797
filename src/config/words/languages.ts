import { readdirSync } from 'node:fs';
import { INSTALLATION } from '../../domain/process/installation.js';

/** The languages whose words are known, each a file of data/words/ (ISO 639-1; `nb` is Norwegian). English is the first. */
export const LANGUAGES: readonly string[] = readdirSync(new URL('data/words/', INSTALLATION))
  .map((name) => name.replace(/\.yaml$/, ''))
  .sort((one, other) => Number(other === 'en') - Number(one === 'en') || (one < other ? -1 : 1));
