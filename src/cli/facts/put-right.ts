import { DISMISSABLE, RERUNNABLE } from '../../actions/rows/selectable.js';
import type { Facts } from '../command.js';
import { oneMore, wholeNumber } from '../option-values.js';
import { rowOptions } from '../row-selection.js';

/** The commands that help lists under "Put right". */
export const putRight = {
  rerun: {
    description: 'deliver again what was refused, failed, is in doubt or is held',
    options: {
      ...rowOptions(RERUNNABLE),
      '--dry-run': 'only list what would be sent',
    },
    examples: [
      'registrar rerun --state rejected,failed --run 12 --dry-run',
      'registrar rerun --learner jane@example.com --because "her account is there now"',
    ],
  },
  dismiss: {
    description:
      'decide that rows shall not be sent, or that a refused file is closed; --because gives the reason',
    options: {
      ...rowOptions(DISMISSABLE),
      '--drop <n>': {
        description: 'this refused file; --file closes those of its name as well',
        parse: wholeNumber,
      },
      '--dry-run': 'only list what would be dismissed',
    },
    examples: [
      'registrar dismiss --row 17 18 --because "test accounts"',
      'registrar dismiss --state invalid --file completions.csv --because "a test export"',
    ],
  },
  map: {
    description:
      "correct a learner's identifier, for what is staged and what comes; without NEW: learners the platform doesn't know, and known ones near them",
    inputs: { '[old]': '', '[new]': '' },
    options: {
      '--because <text>': 'why, for the record; needed with NEW',
      '--type <type>': 'type of OLD, such as Email; else that of its rows',
      '--new-type <type>': 'type of NEW; else that of OLD',
      '--dry-run': 'only list what would change',
    },
    examples: [
      'registrar map',
      'registrar map jane@old.example jane@new.example --because "she has married"',
    ],
  },
  correct: {
    description: 'correct a row that needs attention, by name and with a reason',
    inputs: { '<row>': 'file.csv:217, 12:217 or #3' },
    options: {
      '--set <column=value>': {
        description: 'the right value of a column, by its header or its field; needed, may be repeated',
        parse: oneMore,
      },
      '--because <text>': 'why, for the record; needed without --dry-run',
      '--dry-run': 'only show how the cells are read, and what the rows would be',
    },
    examples: [
      'registrar correct completions.csv:217 --set "Email=jane@example.com" --dry-run',
      'registrar correct "#3" --set Score=85 --because "misread"',
    ],
  },
  restage: {
    description:
      "normalise a drop's invalid rows again, after its source was corrected; by file name or number",
    inputs: { '<drop>': '' },
    options: {
      '--because <text>': 'why, for the record',
      '--dry-run': 'only show what the rows would be',
      '--limit <n>': {
        description: 'requests of new submissions to show with --dry-run',
        parse: wholeNumber,
        default: 20,
      },
    },
    examples: [
      'registrar restage 3 --dry-run',
      'registrar restage october.csv --because "the zone was missing"',
    ],
  },
} as const satisfies Facts;
