/** How a file that came in stands: `set-aside` as long as its rows haven't come in and nobody has dismissed it, `closed` afterwards. */
export const FILE_STANDINGS = ['taken-in', 'set-aside', 'closed', 'being-staged'] as const;

export type FileStanding = (typeof FILE_STANDINGS)[number];

/** What a list of files can be ordered by. */
export type FileOrder = 'time' | 'name' | 'source' | 'rows';
