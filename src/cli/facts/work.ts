import type { Facts } from '../command.js';
import { lengthOfTime } from '../option-values.js';

export const work = {
  run: {
    description: 'import the files in the inboxes, deliver their rows, report; for cron',
    options: {
      '--source <name...>': 'only these sources',
      '--confirm <source...>':
        'these sources may go on under settings that give rows other keys, or headers that map otherwise',
      '--no-push': 'import and stage only',
      '--max-duration <time>': {
        description: 'begin no request after this long, such as 50m; what is left waits',
        parse: lengthOfTime,
      },
      '--changed':
        'show the status alone, and only where what needs attention has changed since it was shown last; for cron, which mails it',
      '--dry-run': 'only show what would be imported and delivered',
    },
    examples: [
      'registrar run',
      'registrar run --source academy --max-duration 50m --changed   # for cron',
      'registrar run --dry-run',
    ],
  },
} as const satisfies Facts;
