import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Context } from 'hono';
import { sizeWords } from '../../../config/values/file-size.js';
import type { Clock } from '../../../domain/clock.js';
import { OperatorError } from '../../../domain/operator-error.js';
import type { AppEnv } from '../app-env.js';

export interface UploadLimits {
  /** A sender of fewer bytes in this time is stopped. */
  readonly leastBytes: number;
  readonly perMs: number;
  readonly mostAtOnce: number;
}

/** A line of 5 kbit/s is slower than any that people use; a connection on which nothing moves is ended after 30 seconds anyway. */
const USUAL_LIMITS: UploadLimits = { leastBytes: 16_384, perMs: 25_000, mostAtOnce: 4 };

/** Why a file is not received, with the status that says so; nothing of it is kept. */
export class UploadRefusal extends OperatorError {
  constructor(
    readonly status: 400 | 408 | 413 | 429,
    message: string,
    hint: string,
  ) {
    super({ operation: 'receive a file', subject: 'the body', message, hint });
  }
}

export type StopReason = 'too-large' | 'too-slow' | 'broken';

export interface Reception {
  readonly mostBytes: number;
  /** Aborted, with an UploadRefusal, where the sender is too slow or gone; and once the reception is over. */
  readonly signal: AbortSignal;
  stop(why: StopReason): void;
}

/** Does some work with a file as it comes. Throws UploadRefusal where the file is too large, too slow or broken off, and what the work throws. */
export type Receive = <T>(
  c: Context<AppEnv>,
  limits: { readonly mostBytes: number; readonly aroundBytes: number },
  work: (reception: Reception) => Promise<T>,
) => Promise<T>;

/** Receives files: a few at a time, none larger than it may be, and each as fast as a file on its way is. */
export function reception(clock: Clock, limits: UploadLimits = USUAL_LIMITS): Receive {
  let underWay = 0;
  return async (c, { mostBytes, aroundBytes }, work) => {
    const { incoming } = c.env;
    const over = new AbortController();
    const stop = (why: StopReason) => over.abort(refusalFor(why, mostBytes));
    const onClose = () => {
      if (!incoming.complete) stop('broken');
    };
    underWay += 1;
    try {
      if (Number(c.req.header('content-length') ?? 0) > mostBytes + aroundBytes)
        throw refusalFor('too-large', mostBytes);
      if (underWay > limits.mostAtOnce) throw enough(limits.mostAtOnce);
      incoming.on('close', onClose);
      void watchPace(incoming, clock, limits, over.signal, () => stop('too-slow'));
      return await work({ mostBytes, signal: over.signal, stop });
    } catch (error) {
      // What still comes of the file belongs to no other request.
      c.header('connection', 'close');
      throw error;
    } finally {
      incoming.off('close', onClose);
      // Ends the watch.
      stop('broken');
      underWay -= 1;
    }
  };
}

/** The bytes of a file as they come, stopped where they are too many or break off. */
export async function* upTo(
  stream: Readable,
  { mostBytes, signal, stop }: Reception,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) stop('too-large');
      yield chunk;
    }
  } catch {
    // A connection that breaks off, or a form that isn't one.
    stop('broken');
    throw signal.reason;
  }
}

async function watchPace(
  { socket }: IncomingMessage,
  clock: Clock,
  { leastBytes, perMs }: UploadLimits,
  over: AbortSignal,
  onSlow: () => void,
): Promise<void> {
  let before = socket.bytesRead;
  while (!over.aborted) {
    await clock.sleep(perMs, over);
    if (!over.aborted && socket.bytesRead - before < leastBytes) onSlow();
    before = socket.bytesRead;
  }
}

function refusalFor(why: StopReason, mostBytes: number): UploadRefusal {
  switch (why) {
    case 'too-large':
      return new UploadRefusal(
        413,
        `the file is larger than ${sizeWords(mostBytes)}`,
        'Split it, or put it into the inbox another way. The limit is console.largestUpload in registrar.yaml.',
      );
    case 'too-slow':
      return new UploadRefusal(408, 'the file came too slowly', 'Nothing of it was kept. Send it again.');
    case 'broken':
      return new UploadRefusal(400, 'the file didn’t come whole', 'Nothing of it was kept. Send it again.');
  }
}

function enough(most: number): UploadRefusal {
  return new UploadRefusal(429, `${most} files are being sent already`, 'Send it again in a minute.');
}
