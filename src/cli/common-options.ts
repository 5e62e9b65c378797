import type { CommandOption } from './command.js';

/** Options of every command; `CommonOptions` is what they give. */
export const COMMON_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--workspace <dir>',
    description: 'the workspace (else REGISTRAR_WORKSPACE, else the current folder)',
  },
  { flags: '--json', description: 'one JSON document on stdout' },
  { flags: '--quiet', description: 'say nothing but errors' },
  { flags: '--verbose', description: 'log every step' },
];
