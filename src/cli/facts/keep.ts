import type { Facts } from '../command.js';

export const keep = {
  backup: {
    description: 'copy the ledger while runs go on, and verify the copy',
    inputs: { '<file>': '' },
    options: {
      '--force': 'replace FILE',
      '--verify': {
        description: 'make none: restore FILE for a test, in a copy, and note the result for status',
        conflicts: ['force'],
      },
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
      '--finish': {
        description: 'without FILE: what was lost has been gone through; hold no more new rows',
        conflicts: ['setBack'],
      },
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
} as const satisfies Facts;
