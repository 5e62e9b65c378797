/** The state of an imported file: `refused` until its rows are imported or it is dismissed, `closed` afterwards. */
export const FILE_STANDINGS = ['imported', 'refused', 'closed', 'importing'] as const;

export type FileStanding = (typeof FILE_STANDINGS)[number];
