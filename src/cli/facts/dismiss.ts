import { DISMISSABLE } from '../../actions/rows/selectable.js';
import type { CommandFacts } from '../command.js';
import { type RowOptions, rowOptions } from '../row-selection.js';
import { wholeNumber } from '../whole-number.js';

/** Options of `registrar dismiss`. */
export interface DismissOptions extends RowOptions {
  readonly drop?: number;
}

/** `registrar dismiss`: rows that shall never be sent, by a decision that is kept. */
export const dismissFacts: CommandFacts = {
  name: 'dismiss',
  description: 'decide that rows shall not be sent, or that a set-aside file is closed; --because says why',
  options: [
    ...rowOptions(DISMISSABLE),
    {
      flags: '--drop <n>',
      description: 'this file that was set aside as a whole; --file closes those of its name as well',
      parse: wholeNumber,
    },
    { flags: '--dry-run', description: 'only list what would be dismissed' },
  ],
  examples: [
    'registrar dismiss --row 17 18 --because "test accounts"',
    'registrar dismiss --state invalid --file completions.csv --because "a test export"',
  ],
};
