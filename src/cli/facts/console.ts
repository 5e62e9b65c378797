import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar console`. */
export interface ConsoleOptions extends CommonOptions {
  readonly listen?: string;
}

/** `registrar console`: the web page alone, beside cron. */
export const consoleFacts: CommandFacts = {
  name: 'console',
  description:
    'stay: serve the web page where people see what happened and put it right, and the HTTP interface; SIGTERM or Ctrl-C ends it',
  isLogged: true,
  options: [
    {
      flags: '--listen <host:port>',
      description: 'serve it there; instead of console.listen of registrar.yaml',
    },
  ],
  examples: ['registrar console', 'registrar console --listen 127.0.0.1:8480'],
};
