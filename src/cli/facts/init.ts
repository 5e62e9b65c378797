import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar init`. */
export interface InitOptions extends CommonOptions {
  readonly sample?: string;
  readonly newLedger?: boolean;
}

/** `registrar init`: a commented registrar.yaml and the folders. */
export const initFacts: CommandFacts = {
  name: 'init',
  description: 'write a commented registrar.yaml and the folders; infer the mapping from a sample',
  inputs: [{ name: '[dir]' }],
  options: [
    { flags: '--sample <file>', description: 'a real export, whose columns are mapped and commented' },
    {
      flags: '--new-ledger',
      description:
        'in a workspace whose ledger is gone for good: an empty one, with what was delivered unknown',
    },
  ],
  examples: [
    'registrar init /srv/registrar --sample ~/Downloads/completions.csv',
    'registrar init   # into this folder, with a configuration to fill in',
  ],
};
