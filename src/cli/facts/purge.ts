import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';
import { isoTime } from '../iso-time.js';

/** Options of `registrar purge`. */
export interface PurgeOptions extends CommonOptions {
  readonly before: string;
  readonly archive?: boolean;
  readonly because?: string;
  readonly dryRun?: boolean;
}

/** `registrar purge`: clears the content of old rows that nobody has to do with any more. */
export const purgeFacts: CommandFacts = {
  name: 'purge',
  description: 'clear the content of old rows; counts, hashes and keys stay, so that nothing is sent again',
  options: [
    {
      flags: '--before <time>',
      description: 'of files taken in before this day or time (UTC)',
      isRequired: true,
      parse: isoTime,
    },
    { flags: '--archive', description: 'also delete the archived files of which no row is open' },
    { flags: '--because <text>', description: 'why, for the record' },
    { flags: '--dry-run', description: 'only say what would be cleared' },
  ],
  examples: [
    'registrar purge --before 2024-01-01 --dry-run',
    'registrar purge --before 2024-01-01 --archive --because "kept for a year"',
  ],
};
