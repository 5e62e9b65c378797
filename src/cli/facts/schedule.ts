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
    'run as a service: import files as they arrive, deliver them and work by the schedule; SIGTERM or Ctrl-C stops it, SIGHUP reloads registrar.yaml',
  isLogged: true,
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
