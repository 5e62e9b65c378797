/** The state of an imported file: `set-aside` until its rows come in or it is dismissed, `closed` afterwards. */
export const FILE_STANDINGS = ['taken-in', 'set-aside', 'closed', 'being-staged'] as const;

export type FileStanding = (typeof FILE_STANDINGS)[number];

export type FileOrder = 'time' | 'name' | 'source' | 'rows';
