import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar schedule`. */
export interface ScheduleOptions extends CommonOptions {
  readonly listen?: string;
}

/** `registrar schedule`: the daemon. */
export const scheduleFacts: CommandFacts = {
  name: 'schedule',
  description:
    'stay: take in what arrives, deliver what waits, and work by the schedule; SIGTERM or Ctrl-C ends it, SIGHUP reads registrar.yaml again',
  options: [
    {
      flags: '--listen <host:port>',
      description:
        'serve the console, /healthz, /readyz and /metrics there; instead of console.listen and monitor.listen of registrar.yaml',
    },
  ],
  examples: [
    'registrar schedule --listen 127.0.0.1:9464',
    'registrar schedule --quiet   # logs errors alone; --verbose logs each request too',
  ],
};
