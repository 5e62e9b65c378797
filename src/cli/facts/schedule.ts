import type { CommandFacts } from '../command.js';

/** `registrar schedule`: the daemon. */
export const scheduleFacts: CommandFacts = {
  name: 'schedule',
  description: 'stay and work by the schedule of registrar.yaml; SIGTERM or Ctrl-C ends it',
  examples: ['registrar schedule', 'registrar schedule --quiet   # logs nothing but errors'],
};
