/** This program's version, as package.json says; a test compares them. */
export const VERSION = '0.1.0';

/** The oldest Node.js that runs it, as the engines of package.json say; a test compares them. */
export const OLDEST_NODE = '20.19';
