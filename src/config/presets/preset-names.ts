import { readdirSync } from 'node:fs';
import { INSTALLATION } from '../../domain/process/installation.js';

/** In order of the alphabet; each is a file in data/presets/. */
export const PRESET_NAMES: readonly string[] = readdirSync(new URL('data/presets/', INSTALLATION))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length))
  .sort();
