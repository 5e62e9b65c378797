import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar backup`. */
export interface BackupOptions extends CommonOptions {
  readonly force?: boolean;
  readonly verify?: boolean;
}

/** `registrar backup`: a verified copy of the ledger, while runs go on, or the test of one. Works with any registrar.yaml, also a wrong one. */
export const backupFacts: CommandFacts = {
  name: 'backup',
  description: 'copy the ledger while runs go on, and verify the copy',
  inputs: [{ name: '<file>' }],
  options: [
    { flags: '--force', description: 'replace FILE' },
    {
      flags: '--verify',
      description: 'make none: restore FILE for a test, in a copy, and note that for doctor',
    },
  ],
  examples: [
    'registrar backup /backup/registrar.db',
    'registrar backup /backup/registrar.db --force --quiet   # for cron',
    'registrar backup /backup/registrar.db --verify',
  ],
};
