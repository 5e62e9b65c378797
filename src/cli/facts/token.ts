import { ROLES, type Role } from '../../domain/access/role.js';
import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar token`. */
export interface TokenOptions extends CommonOptions {
  readonly role?: Role;
}

/** `registrar token`: which programs may use the HTTP interface. */
export const tokenFacts: CommandFacts = {
  name: 'token',
  description: 'which programs may use the HTTP interface: add, list or revoke their tokens',
  inputs: [
    { name: '<action>', description: 'what to do', choices: ['add', 'list', 'revoke'] },
    { name: '[name]', description: 'name of the program; what it does is recorded under it' },
  ],
  options: [
    {
      flags: '--role <role>',
      description:
        'with add: viewer (reads, personal data masked), operator (acts, reads rows) or auditor (reads all, acts on nothing)',
      choices: ROLES,
    },
  ],
  examples: [
    'registrar token add billing --role viewer',
    'registrar token list',
    'registrar token revoke billing',
  ],
};
