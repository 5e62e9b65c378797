/** The sheet that identifies a correction workbook; only people read it. */
export const TASKS_SHEET = 'What to do';

/** Before a file's own columns; only people read them. */
export const TASK_COLUMNS = ['What is wrong', 'What to do'] as const;

/** Appended where a column of the file has the same name. */
export const OURS = ' (Registrar)';

/** The column of the learners' sheet with the learner's identifier, as people know it. */
export const LEARNER = 'Learner';

/** People fill it in. */
export const RIGHT_ADDRESS = 'Right address';

/** The learner's hash, 16 hex digits. */
export const LEARNER_MARK = '_learner';

/** The names of our two columns before the columns of a file, which may have a column of the same name. */
export function taskColumns(header: readonly string[]): readonly string[] {
  const used = new Set(header.map((name) => name.normalize('NFC').replace(/\s+/g, ' ').trim()));
  return TASK_COLUMNS.map((name) => (used.has(name) ? `${name}${OURS}` : name));
}
