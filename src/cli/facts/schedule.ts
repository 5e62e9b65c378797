import type { CommandFacts } from '../command.js';

/** `registrar schedule`: the daemon. */
export const scheduleFacts: CommandFacts = {
  name: 'schedule',
  description:
    'stay: take in what arrives, deliver what waits, and work by the schedule; SIGTERM or Ctrl-C ends it, SIGHUP reads registrar.yaml again',
  examples: [
    'registrar schedule',
    'registrar schedule --quiet   # logs errors alone; --verbose logs each request too',
  ],
};
