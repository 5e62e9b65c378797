import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar correct`. */
export interface CorrectOptions extends CommonOptions {
  readonly set?: readonly string[];
  readonly because?: string;
  readonly dryRun?: boolean;
}

/** `registrar correct`: other values for a row, or a corrected attention file, by hand. */
export const correctFacts: CommandFacts = {
  name: 'correct',
  description:
    'give a row that needs a person the right values, or take in a corrected attention file, by name and with a reason',
  inputs: [
    { name: '<what>', description: 'a row (file.csv:217, 12:217 or #3), with --set; else an attention file' },
  ],
  options: [
    {
      flags: '--set <column=value>',
      description: 'the right value of a column, by its header or its field; may be repeated',
      parse: (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
    },
    { flags: '--because <text>', description: 'why, for the record; needed without --dry-run' },
    { flags: '--dry-run', description: 'only show how the cells are read, and what the rows would be' },
  ],
  examples: [
    'registrar correct completions.csv:217 --set "Email=jane@example.com" --dry-run',
    'registrar correct 12-academy.attention.xlsx --because "mended by the school"',
  ],
};
