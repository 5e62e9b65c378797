import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar run`. */
export interface RunOptions extends CommonOptions {
  readonly source?: readonly string[];
  readonly confirm?: readonly string[];
  readonly push: boolean;
  readonly maxDuration?: string;
  readonly dryRun?: boolean;
}

/** `registrar run`: take in, push, report. */
export const runFacts: CommandFacts = {
  name: 'run',
  description: 'take in what lies in the inboxes, deliver it, report; for cron',
  options: [
    { flags: '--source <name...>', description: 'only these sources' },
    {
      flags: '--confirm <source...>',
      description:
        'these sources may go on under settings that give rows other keys, or headers that map otherwise',
    },
    { flags: '--no-push', description: 'take in and stage only' },
    {
      flags: '--max-duration <time>',
      description: 'begin no request after this long, such as 50m; what is left waits',
    },
    {
      flags: '--changed',
      description:
        'show how things stand, and nothing else, and only where what needs attention is not what was shown last; for cron, which mails it',
    },
    { flags: '--dry-run', description: 'only say what would be taken in and delivered' },
  ],
  examples: [
    'registrar run',
    'registrar run --source academy --max-duration 50m --changed   # for cron',
    'registrar run --dry-run',
  ],
};
