import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar restore`. */
export interface RestoreOptions extends CommonOptions {
  readonly because?: string;
  readonly finish?: boolean;
  readonly dryRun?: boolean;
}

/** `registrar restore`: a backup in the ledger's place. Works with any registrar.yaml, also a wrong one. */
export const restoreFacts: CommandFacts = {
  name: 'restore',
  description: 'put a backup in the place of the ledger, and hold what may have been delivered since',
  inputs: [{ name: '[file]' }],
  options: [
    { flags: '--because <text>', description: 'why, for the record; needed' },
    {
      flags: '--finish',
      description: 'without FILE: what was lost has been gone through; hold no more new rows',
    },
    { flags: '--dry-run', description: 'only look the backup through, and say how far it goes' },
  ],
  examples: [
    'registrar restore /backup/registrar.db --dry-run',
    'registrar restore /backup/registrar.db --because "the disk was lost"',
    'registrar restore --finish --because "looked them up"',
  ],
};
