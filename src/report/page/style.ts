import { readFileSync } from 'node:fs';
import { INSTALLATION } from '../../domain/process/installation.js';

/** A style sheet of data/console/: of a report's page, or what the console adds to it. */
export function styleSheet(name: 'page' | 'console'): string {
  return readFileSync(new URL(`data/console/${name}.css`, INSTALLATION), 'utf8');
}

export const PAGE_STYLE = styleSheet('page');
