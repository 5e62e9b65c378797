import type { Facts } from '../command.js';
import { isoTime } from '../option-values.js';

/** The commands that help lists under "Keep". */
export const keep = {
  backup: {
    description: 'copy the ledger while runs go on, and verify the copy',
    inputs: { '<file>': '' },
    options: {
      '--force': 'replace FILE',
      '--verify': 'make none: restore FILE for a test, in a copy, and note the result for status',
    },
    examples: [
      'registrar backup /backup/registrar.db',
      'registrar backup /backup/registrar.db --force --quiet   # for cron',
      'registrar backup /backup/registrar.db --verify',
    ],
  },
  restore: {
    description: 'put a backup in the place of the ledger, and hold what may have been delivered since',
    inputs: { '[file]': '' },
    options: {
      '--because <text>': 'why, for the record; needed',
      '--set-back': 'without FILE: the database of the ledger was set back by its own tools',
      '--finish': 'without FILE: what was lost has been gone through; hold no more new rows',
    },
    gone: {
      '--dry-run': 'registrar backup FILE --verify restores it for a test, and says how far it goes.',
    },
    examples: [
      'registrar restore /backup/registrar.db --because "the disk was lost"',
      'registrar restore --set-back --because "restored from last night"',
      'registrar restore --finish --because "looked them up"',
    ],
  },
  ledger: {
    description:
      'copy the ledger as it is at one moment into another file or database, and compare every row',
    inputs: { '<action>': { description: 'what to do', choices: ['copy'] } },
    options: {
      '--to <file>': {
        description:
          "a file that isn't there yet, or the address of an empty PostgreSQL database; '${NAME}': the variable with it",
        isRequired: true,
      },
    },
    examples: [
      "registrar ledger copy --to '${REGISTRAR_NEW_LEDGER_URL}'   # from the file into a database",
      'registrar ledger copy --to /backup/registrar.db',
    ],
  },
  purge: {
    description: 'clear the content of old rows; counts, hashes and keys stay, so that nothing is sent again',
    options: {
      '--before <time>': {
        description: 'of files imported before this day or time (UTC)',
        isRequired: true,
        parse: isoTime,
      },
      '--archive': 'also delete the archived files of which no row is open',
      '--because <text>': 'why, for the record',
      '--dry-run': 'only show what would be cleared',
    },
    examples: [
      'registrar purge --before 2024-01-01 --dry-run',
      'registrar purge --before 2024-01-01 --archive --because "kept for a year"',
    ],
  },
  forget: {
    description:
      'erase a person from the ledger for good, and prove it; rows to come about them are not kept',
    inputs: { '<learner>': '' },
    options: {
      '--because <text>': 'why, for the record; needed without --dry-run. Name no person in it',
      '--type <type>': 'type of the identifier, such as Email; else every type',
      '--reports': 'also delete generated report files that name the person',
      '--dry-run': 'only show what there is of the person',
    },
    examples: [
      'registrar forget jane@example.com --dry-run',
      'registrar forget jane@example.com --because "her request of 3 March"',
    ],
  },
} as const satisfies Facts;
