/** The sheet by which a workbook that guides is known; it is read by people alone. */
export const GUIDE_SHEET = 'What to do';

/** What stands before a file's own columns on a sheet of rows to correct: read by people alone. */
export const GUIDE_COLUMNS = ['What is wrong', 'What to do'] as const;

/** Behind a name of ours that a file's own column has too. */
export const OURS = ' (Registrar)';

/** The column of the learners' sheet that names whom a row is about, as people know them. */
export const LEARNER = 'Learner';

/** The column of the learners' sheet that people fill in; empty: nothing is decided about the learner. */
export const RIGHT_ADDRESS = 'Right address';

/** The column of the learners' sheet that says whom a row is about: the learner's hash, 16 hex digits. */
export const LEARNER_MARK = '_learner';

/** How our two columns are called before the columns of a file, which may have one of the same name. */
export function guideColumns(header: readonly string[]): readonly string[] {
  const taken = new Set(header.map((name) => name.normalize('NFC').replace(/\s+/g, ' ').trim()));
  return GUIDE_COLUMNS.map((name) => (taken.has(name) ? `${name}${OURS}` : name));
}
