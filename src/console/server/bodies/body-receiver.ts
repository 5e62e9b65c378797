import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Context } from 'hono';
import { sizeWords } from '../../../config/values/file-size.js';
import type { Clock } from '../../../domain/clock.js';
import { bodyRefusal, type RequestRefusal } from '../../work/status-of.js';
import type { AppEnv } from '../request.js';

export interface BodyLimits {
  /** A sender slower than this is cut off. */
  readonly minBytes: number;
  readonly perMs: number;
  readonly maxConcurrent: number;
}

/** A line of 5 kbit/s is slower than any that people use; a connection on which nothing moves is ended after 30 seconds anyway. */
const DEFAULT_LIMITS: BodyLimits = { minBytes: 16_384, perMs: 25_000, maxConcurrent: 4 };

type StopReason = 413 | 408 | 400;

export interface IncomingBody {
  readonly maxBytes: number;
  /** Aborted, with a RequestRefusal, where the sender is too slow or gone; and once the reception is over. */
  readonly signal: AbortSignal;
  stop(why: StopReason): void;
}

/** Receives request bodies with limits on their number, their size and their slowness. */
export function bodyReceiver(clock: Clock, limits: BodyLimits = DEFAULT_LIMITS) {
  let underWay = 0;
  /**
   * Works with a body as it comes. Throws RequestRefusal where it is too large, too slow or interrupted, and what the work throws.
   * @param aroundBytes what may come beside it.
   */
  return async <T>(
    c: Context<AppEnv>,
    maxBytes: number,
    work: (body: IncomingBody) => Promise<T>,
    aroundBytes = 0,
  ): Promise<T> => {
    const { incoming } = c.env;
    const over = new AbortController();
    const stop = (why: StopReason) => over.abort(refusalFor(why, maxBytes));
    const onClose = () => {
      if (!incoming.complete) stop(400);
    };
    underWay += 1;
    try {
      if (Number(c.req.header('content-length') ?? 0) > maxBytes + aroundBytes)
        throw refusalFor(413, maxBytes);
      if (underWay > limits.maxConcurrent)
        throw bodyRefusal(429, 'too many bodies are being received already', 'Send it again in a minute.');
      incoming.on('close', onClose);
      void watchPace(incoming, clock, limits, over.signal, () => stop(408));
      return await work({ maxBytes, signal: over.signal, stop });
    } catch (error) {
      // The rest of the file must not be read as another request.
      c.header('connection', 'close');
      throw error;
    } finally {
      incoming.off('close', onClose);
      // Ends the watch.
      stop(400);
      underWay -= 1;
    }
  };
}

/** Selections, reasons and cells of a form are short; each cell comes with its former value. */
const MAX_TEXT_BYTES = 5_000_000;

/** A person or a program sends them at once. */
const TEXT_LIMITS: BodyLimits = { minBytes: MAX_TEXT_BYTES, perMs: 15_000, maxConcurrent: 1_000 };

/** Reads the body of a request as text. Throws RequestRefusal where it is too large, comes too slowly, or breaks off. */
export type ReadText = ReturnType<typeof textReader>;

export function textReader(clock: Clock, limits = TEXT_LIMITS, maxBytes = MAX_TEXT_BYTES) {
  const receive = bodyReceiver(clock, limits);
  return (c: Context<AppEnv>) =>
    receive(c, maxBytes, (received) => {
      const { signal } = received;
      const over = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return Promise.race([text(limitedBytes(c.env.incoming, received)), over]);
    });
}

/** Streams the bytes, and stops if there are too many or the connection breaks. */
export async function* limitedBytes(stream: Readable, { maxBytes, signal, stop }: IncomingBody) {
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) stop(413);
      yield chunk;
    }
  } catch {
    // A broken connection, or a malformed form.
    stop(400);
    throw signal.reason;
  }
}

async function watchPace(
  { socket }: IncomingMessage,
  clock: Clock,
  { minBytes, perMs }: BodyLimits,
  over: AbortSignal,
  onSlow: () => void,
): Promise<void> {
  let before = socket.bytesRead;
  while (!over.aborted) {
    await clock.sleep(perMs, over);
    if (!over.aborted && socket.bytesRead - before < minBytes) onSlow();
    before = socket.bytesRead;
  }
}

function refusalFor(why: StopReason, maxBytes: number): RequestRefusal {
  const again = 'Nothing was stored. Send it again.';
  if (why === 408) return bodyRefusal(408, 'the request arrived too slowly', again);
  if (why === 400) return bodyRefusal(400, 'the request arrived incomplete', again);
  const hint = 'Send less at a time. The limit of a file is console.largestUpload in registrar.yaml.';
  return bodyRefusal(413, `the request is larger than ${sizeWords(maxBytes)}`, hint);
}
