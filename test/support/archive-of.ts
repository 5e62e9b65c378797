import type { Archive } from '../../src/intake/zip-entries.js';

/** An archive in which every part has this content, in chunks. */
export function archiveOf(content: string | Buffer, chunkBytes = 65_536): Archive {
  const bytes = Buffer.from(content);
  return {
    directory: new Map(),
    has: () => true,
    async *read() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
    close: () => undefined,
  };
}
