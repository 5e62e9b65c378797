import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';
import { wholeNumber } from '../whole-number.js';

/** Options of `registrar inspect`. */
export interface InspectOptions extends CommonOptions {
  readonly source?: string;
  readonly limit: number;
  readonly sheet?: string;
}

/** `registrar inspect`: what the reader sees and how headers map. */
export const inspectFacts: CommandFacts = {
  name: 'inspect',
  description: 'show what the reader sees in a file and how its headers map; writes nothing',
  inputs: [{ name: '<file>' }],
  options: [
    { flags: '--source <name>', description: 'map as this source does; else by known headers' },
    { flags: '--limit <n>', description: 'rows to show', parse: wholeNumber, default: 20 },
    { flags: '--sheet <name>', description: 'sheet to show; else the one that would be read' },
  ],
  examples: [
    'registrar inspect completions.xlsx --sheet "October 2025"',
    'registrar inspect completions.csv --source academy --limit 5',
  ],
};
