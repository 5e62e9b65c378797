import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';
import { wholeNumber } from '../whole-number.js';

/** Options of `registrar check`. */
export interface CheckOptions extends CommonOptions {
  readonly source: string;
  readonly limit: number;
}

/** `registrar check`: a dry run of one file. */
export const checkFacts: CommandFacts = {
  name: 'check',
  description: 'dry run: what staging would make of a file; writes nothing, sends nothing',
  inputs: [{ name: '<file>' }],
  options: [
    { flags: '--source <name>', description: 'the source whose settings apply', isRequired: true },
    { flags: '--limit <n>', description: 'issues and requests to show', parse: wholeNumber, default: 20 },
  ],
  examples: [
    'registrar check completions.csv --source academy',
    'registrar check completions.csv --source academy --limit 500 --json',
  ],
};
