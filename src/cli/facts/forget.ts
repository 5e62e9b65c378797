import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar forget`. */
export interface ForgetOptions extends CommonOptions {
  readonly because?: string;
  readonly type?: string;
  readonly reports?: boolean;
  readonly dryRun?: boolean;
}

/** `registrar forget`: erases a person for good, and proves it. The identifier is never printed. */
export const forgetFacts: CommandFacts = {
  name: 'forget',
  description: 'erase a person from the ledger for good, and prove it; rows to come about them are not kept',
  inputs: [{ name: '<learner>' }],
  options: [
    {
      flags: '--because <text>',
      description: 'why, for the record; needed without --dry-run. Name no person in it',
    },
    { flags: '--type <type>', description: 'type of the identifier, such as Email; else every type' },
    { flags: '--reports', description: 'also delete generated report files that name the person' },
    { flags: '--dry-run', description: 'only say what there is of the person' },
  ],
  examples: [
    'registrar forget jane@example.com --dry-run',
    'registrar forget jane@example.com --because "her request of 3 March"',
  ],
};
