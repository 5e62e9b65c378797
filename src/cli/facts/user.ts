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
  description: 'who logs in to the pages with a password: add, list or remove somebody in registrar.yaml',
  inputs: [
    { name: '<action>', description: 'what to do', choices: ['add', 'list', 'remove'] },
    { name: '[name]', description: 'the name to log in with' },
  ],
  options: [
    {
      flags: '--role <role>',
      description:
        'with add: viewer (sees counts, personal data masked), operator (acts, sees rows) or auditor (sees all, acts on nothing)',
      choices: ROLES,
    },
    {
      flags: '--password-stdin',
      description: 'with add: read the password from standard input; else it is asked for on the terminal',
    },
  ],
  examples: ['registrar user add anna --role operator', 'registrar user list', 'registrar user remove anna'],
};
