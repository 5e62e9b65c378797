import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALLATION } from '../../domain/process/installation.js';

/** The names of the built-in presets in order of the alphabet; each is the name of its file in data/presets/. */
export const PRESET_NAMES: readonly string[] = readdirSync(presetFolder())
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length))
  .sort();

/** The file of a preset. */
export function presetPath(name: string): string {
  return join(presetFolder(), `${name}.yaml`);
}

function presetFolder(): string {
  return fileURLToPath(new URL('data/presets/', INSTALLATION));
}
