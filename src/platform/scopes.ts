import type { PlatformRequest } from './calls/platform-call.js';

/** The specification's (§4.1, §5.3). */
export const CONTENT_WRITE = 'content:write';

/** Not shown in the specification, publicly known. */
export const COMPLETIONS_WRITE = 'completions:write';

/** The publicly known scope of a request by hand: of completions or content, to read or to write. */
export function scopeOf({ method, path }: PlatformRequest): string {
  const about = /^\/api\/v\d+\/completions\b/.test(path) ? 'completions' : 'content';
  return `${about}:${method === 'GET' ? 'read' : 'write'}`;
}
