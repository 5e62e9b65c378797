import type { Context } from 'hono';
import type { Clock } from '../../../domain/clock.js';

export type UnreadBody = 'too-large' | 'too-slow';

/** Selections, reasons and cells of a form are short, and a person or a program sends them at once. */
export const BODY_LIMITS = { mostBytes: 1_000_000, withinMs: 15_000 };

/** A body as text, within limits: a slow sender holds no connection for long. */
export async function bodyText(
  c: Context,
  clock: Clock,
  { mostBytes, withinMs } = BODY_LIMITS,
): Promise<{ readonly text: string } | { readonly unread: UnreadBody }> {
  if (Number(c.req.header('content-length') ?? 0) > mostBytes) return { unread: 'too-large' };
  const reader = c.req.raw.body?.getReader();
  if (reader === undefined) return { text: '' };
  const over = new AbortController();
  const late = clock.sleep(withinMs, over.signal).then(() => 'late' as const);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      // A client that has gone reads no answer.
      const read = await Promise.race([reader.read().catch(() => 'late' as const), late]);
      if (read === 'late') return { unread: 'too-slow' };
      if (read.value === undefined) return { text: Buffer.concat(pieces).toString() };
      bytes += read.value.length;
      if (bytes > mostBytes) return { unread: 'too-large' };
      pieces.push(read.value);
    }
  } finally {
    over.abort();
    reader.releaseLock();
  }
}
