import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar trace`. */
export interface TraceOptions extends CommonOptions {
  readonly searchCells?: boolean;
}

/** `registrar trace`: every step of a learner's, a row's or a submission's life. Writes nothing to the ledger. */
export const traceFacts: CommandFacts = {
  name: 'trace',
  description:
    'show the full history of a learner (jane@example.com), a line (file.csv:217), a submission (#12) or a key',
  inputs: [{ name: '<what>' }],
  options: [
    {
      flags: '--search-cells',
      description: 'search all rows that became no record, however many they are',
    },
  ],
  examples: ['registrar trace jane@example.com', 'registrar trace completions.csv:217 --json'],
};
