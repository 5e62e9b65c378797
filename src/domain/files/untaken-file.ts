/** Why no source takes something that lies in an inbox, or why a run could not take it. */
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

/** Something in an inbox that no source takes, or that a run could not take. */
export interface UntakenFile {
  /** Whose inbox it lies in; null: in the folder `inbox/` itself. */
  readonly source: string | null;
  /** From the workspace on; absolute where the inbox lies elsewhere. */
  readonly path: string;
  readonly code: UntakenCode;
  /** Goes on after the path: "is a folder". Without its full stop. */
  readonly reason: string;
  /** What to do: a plain sentence or two. */
  readonly remedy: string;
}
