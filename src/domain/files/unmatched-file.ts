/** Why a file in an inbox is unmatched, or why a run could not import it. */
export const UNMATCHED_CODES = [
  'not-read',
  'not-matched',
  'no-file',
  'unreadable',
  'bad-name',
  'unfinished',
  'no-inbox',
  'not-movable',
  'changing',
  'workspace-changed',
] as const;

export type UnmatchedCode = (typeof UNMATCHED_CODES)[number];
