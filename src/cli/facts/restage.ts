import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';
import { wholeNumber } from '../whole-number.js';

/** Options of `registrar restage`. */
export interface RestageOptions extends CommonOptions {
  readonly because?: string;
  readonly dryRun?: boolean;
  readonly limit: number;
}

/** `registrar restage`: a drop's invalid rows once more, after its source was corrected. */
export const restageFacts: CommandFacts = {
  name: 'restage',
  description:
    "normalise a drop's invalid rows again, after its source was corrected; by file name or number",
  inputs: [{ name: '<drop>' }],
  options: [
    { flags: '--because <text>', description: 'why, for the record' },
    { flags: '--dry-run', description: 'only say what the rows would be' },
    {
      flags: '--limit <n>',
      description: 'requests of new submissions to show with --dry-run',
      parse: wholeNumber,
      default: 20,
    },
  ],
  examples: [
    'registrar restage 3 --dry-run',
    'registrar restage october.csv --because "the zone was missing"',
  ],
};
