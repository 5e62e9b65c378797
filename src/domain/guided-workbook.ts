/** What stands before a file's own columns on a sheet of rows to correct: read by people alone. */
export const GUIDE_COLUMNS = ['What is wrong', 'What to do'] as const;

/** The column of the learners' sheet that people fill in; empty: nothing is decided about the learner. */
export const RIGHT_ADDRESS = 'Right address';

/** The column of the learners' sheet that says whom a row is about: the learner's hash, 32 hex digits. */
export const LEARNER_MARK = '_learner';
