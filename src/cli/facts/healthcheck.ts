import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar healthcheck`. */
export interface HealthcheckOptions extends CommonOptions {
  readonly url?: string;
  readonly work?: boolean;
}

/** `registrar healthcheck`: for containers and other supervisors. */
export const healthcheckFacts: CommandFacts = {
  name: 'healthcheck',
  description: 'whether work that comes in could be done, by the exit code too; for containers',
  options: [
    {
      flags: '--url <url>',
      description:
        'ask the service there, such as http://127.0.0.1:9464/readyz; else where monitor.listen says',
    },
    { flags: '--work', description: 'also whether work gets done, as status --health says' },
  ],
  examples: [
    'registrar healthcheck --work --quiet',
    'registrar healthcheck --url http://127.0.0.1:9464/readyz',
  ],
};
