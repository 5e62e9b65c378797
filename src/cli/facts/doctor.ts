import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar doctor`. */
export interface DoctorOptions extends CommonOptions {
  readonly offline?: boolean;
  readonly deep?: boolean;
}

/** `registrar doctor`: looks at everything a run relies on, one line each; changes nothing. */
export const doctorFacts: CommandFacts = {
  name: 'doctor',
  description: 'look at configuration, folders, ledger, clock and credentials; one line each',
  options: [
    { flags: '--offline', description: 'ask no platform for a token' },
    {
      flags: '--deep',
      description: 'compare all indexes and records of the ledger with what was written',
    },
  ],
  examples: ['registrar doctor', 'registrar doctor --offline --deep'],
};
