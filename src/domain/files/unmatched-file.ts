/** Why a file in an inbox is unmatched, or why a run could not import it. */
export const UNMATCHED_CODES = [
  'not-read',
  'not-matched',
  'folder',
  'link',
  'hard-link',
  'no-file',
  'unreadable',
  'bad-name',
  'unfinished',
  'no-inbox',
  'busy',
  'not-movable',
  'changing',
  'workspace-changed',
] as const;

export type UnmatchedCode = (typeof UNMATCHED_CODES)[number];
