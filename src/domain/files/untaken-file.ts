/** Why a file in an inbox is unmatched, or why a run could not import it. */
export const UNTAKEN_CODES = [
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

export type UntakenCode = (typeof UNTAKEN_CODES)[number];
