/** A user without rights. */
export const NOBODY = 65_534;

/** For root no file is unreadable, and root alone can give files to others. */
export const IS_ROOT = process.getuid?.() === 0;
