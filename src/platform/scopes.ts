import type { PlatformRequest } from './calls/platform-call.js';

/** The scope that the specification shows (§4.1, §5.3). */
export const CONTENT_WRITE = 'content:write';

/** A scope that the specification doesn't show; publicly known. */
export const COMPLETIONS_WRITE = 'completions:write';

/** The publicly known scope of a request by hand: of completions or content, to read or to write. */
export function scopeOf({ method, path }: PlatformRequest): string {
  const about = /^\/api\/v\d+\/completions\b/.test(path) ? 'completions' : 'content';
  return `${about}:${method === 'GET' ? 'read' : 'write'}`;
}
