/** The scope that the specification shows (§4.1, §5.3). */
export const CONTENT_WRITE = 'content:write';

/** A scope that the specification doesn't show; publicly known. */
export const COMPLETIONS_WRITE = 'completions:write';
