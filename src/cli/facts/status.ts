import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar status`. */
export interface StatusOptions extends CommonOptions {
  readonly health?: boolean;
}

/** `registrar status`: what waits, what needs attention, quota in use, the last runs. */
export const statusFacts: CommandFacts = {
  name: 'status',
  description: 'what waits and until when, what needs attention, quota in use, the last runs',
  options: [
    {
      flags: '--health',
      description: 'say only whether work gets done, by the exit code too; for health checks',
    },
  ],
  examples: ['registrar status', 'registrar status --json'],
};
