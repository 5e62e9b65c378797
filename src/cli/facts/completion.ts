import type { CommandFacts } from '../command.js';

/** Shells for which there is a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** `registrar completion`: a script for a shell, or the names that such a script asks for. */
export const completionFacts: CommandFacts = {
  name: 'completion',
  description:
    'print a script that completes command lines in a shell; or the names in registrar.yaml, which it asks for',
  inputs: [{ name: '<what>', choices: [...SHELLS, 'sources', 'environments'] }],
  examples: ['registrar completion bash', 'registrar completion sources --workspace /srv/registrar'],
};
