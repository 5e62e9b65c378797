/** The sheet that identifies a guided workbook; only people read it. */
export const GUIDE_SHEET = 'What to do';

/** The columns before a file's own columns on a sheet of rows to correct; only people read them. */
export const GUIDE_COLUMNS = ['What is wrong', 'What to do'] as const;

/** Appended to the name of one of our columns where a column of the file has the same name. */
export const OURS = ' (Registrar)';

/** The column of the learners' sheet with the learner's identifier, as people know it. */
export const LEARNER = 'Learner';

/** The column of the learners' sheet that people fill in; empty: nothing is decided about the learner. */
export const RIGHT_ADDRESS = 'Right address';

/** The column of the learners' sheet with the learner's hash, 16 hex digits, which identifies the learner. */
export const LEARNER_MARK = '_learner';

/** The names of our two columns before the columns of a file, which may have a column of the same name. */
export function guideColumns(header: readonly string[]): readonly string[] {
  const taken = new Set(header.map((name) => name.normalize('NFC').replace(/\s+/g, ' ').trim()));
  return GUIDE_COLUMNS.map((name) => (taken.has(name) ? `${name}${OURS}` : name));
}
