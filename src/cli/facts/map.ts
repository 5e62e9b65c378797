import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar map`. */
export interface MapOptions extends CommonOptions {
  readonly because?: string;
  readonly type?: string;
  readonly newType?: string;
  readonly dryRun?: boolean;
}

/** `registrar map`: a learner's corrected identifier, for what is staged and what comes; without it, whom to correct. */
export const mapFacts: CommandFacts = {
  name: 'map',
  description:
    "correct a learner's identifier, for what is staged and what comes; without NEW: learners the platform doesn't know, and known ones near them",
  inputs: [{ name: '[old]' }, { name: '[new]' }],
  options: [
    { flags: '--because <text>', description: 'why, for the record; needed with NEW' },
    { flags: '--type <type>', description: 'type of OLD, such as Email; else that of its rows' },
    { flags: '--new-type <type>', description: 'type of NEW; else that of OLD' },
    { flags: '--dry-run', description: 'only list what would change' },
  ],
  examples: ['registrar map', 'registrar map jane@old.example jane@new.example --because "she has married"'],
};
