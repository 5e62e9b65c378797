import { RERUNNABLE } from '../../actions/rows/selectable.js';
import type { CommandFacts } from '../command.js';
import { rowOptions } from '../row-selection.js';

/** `registrar rerun`: deliver again what was refused, failed, is in doubt or held. */
export const rerunFacts: CommandFacts = {
  name: 'rerun',
  description: 'deliver again what was refused, failed, is in doubt or is held',
  options: [...rowOptions(RERUNNABLE), { flags: '--dry-run', description: 'only list what would be sent' }],
  examples: [
    'registrar rerun --state rejected,failed --run 12 --dry-run',
    'registrar rerun --learner jane@example.com --because "her account is there now"',
  ],
};
