import { readFileSync } from 'node:fs';
import { INSTALLATION } from '../../domain/process/installation.js';

/** A file of data/console/: a style sheet, the script or the icon. */
export function consoleFile(name: string): string {
  return readFileSync(new URL(`data/console/${name}`, INSTALLATION), 'utf8');
}

export const PAGE_STYLE = consoleFile('page.css');
