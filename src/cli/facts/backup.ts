import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar backup`. */
export interface BackupOptions extends CommonOptions {
  readonly force?: boolean;
}

/** `registrar backup`: a verified copy of the ledger, while runs go on. Works with any registrar.yaml, also a wrong one. */
export const backupFacts: CommandFacts = {
  name: 'backup',
  description: 'copy the ledger while runs go on, and verify the copy',
  inputs: [{ name: '<file>' }],
  options: [{ flags: '--force', description: 'replace FILE' }],
  examples: [
    'registrar backup /backup/registrar.db',
    'registrar backup /backup/registrar.db --force --quiet   # for cron',
  ],
};
