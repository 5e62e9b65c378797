import type { Facts } from '../command.js';

/** The commands that help lists under "Run". */
export const work = {
  run: {
    description: 'take in what lies in the inboxes, deliver it, report; for cron',
    options: {
      '--source <name...>': 'only these sources',
      '--confirm <source...>':
        'these sources may go on under settings that give rows other keys, or headers that map otherwise',
      '--no-push': 'take in and stage only',
      '--max-duration <time>': 'begin no request after this long, such as 50m; what is left waits',
      '--changed':
        'show how things stand, and nothing else, and only where what needs attention is not what was shown last; for cron, which mails it',
      '--dry-run': 'only say what would be taken in and delivered',
    },
    examples: [
      'registrar run',
      'registrar run --source academy --max-duration 50m --changed   # for cron',
      'registrar run --dry-run',
    ],
  },
} as const satisfies Facts;
