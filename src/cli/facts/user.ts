import { ROLES, type Role } from '../../domain/access/role.js';
import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar user`. */
export interface UserOptions extends CommonOptions {
  readonly role?: Role;
  readonly passwordStdin?: boolean;
}

/** `registrar user`: who logs in to the pages with a password. */
export const userFacts: CommandFacts = {
  name: 'user',
  description:
    'who logs in to the pages with a password: print the lines for registrar.yaml with the hash of a password, or list them',
  inputs: [
    { name: '<action>', description: 'what to do', choices: ['hash', 'list'] },
    { name: '[name]', description: 'the name to log in with' },
  ],
  options: [
    {
      flags: '--role <role>',
      description:
        'with hash: viewer (sees counts, personal data masked), operator (acts, sees rows) or auditor (sees all, acts on nothing)',
      choices: ROLES,
    },
    {
      flags: '--password-stdin',
      description: 'with hash: read the password from standard input; else it is asked for on the terminal',
    },
  ],
  examples: ['registrar user hash anna --role operator', 'registrar user list'],
};
