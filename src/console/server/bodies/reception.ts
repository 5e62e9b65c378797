import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Context } from 'hono';
import { sizeWords } from '../../../config/values/file-size.js';
import type { Clock } from '../../../domain/clock.js';
import { counted } from '../../../report/text/counted.js';
import { BodyRefusal } from '../../work/status-of.js';
import type { AppEnv } from '../request.js';

export interface ReceptionLimits {
  /** A sender of fewer bytes in this time is stopped. */
  readonly leastBytes: number;
  readonly perMs: number;
  readonly mostAtOnce: number;
}

/** A line of 5 kbit/s is slower than any that people use; a connection on which nothing moves is ended after 30 seconds anyway. */
const USUAL_LIMITS: ReceptionLimits = { leastBytes: 16_384, perMs: 25_000, mostAtOnce: 4 };

export type StopReason = 'too-large' | 'too-slow' | 'broken';

export interface Reception {
  readonly mostBytes: number;
  /** Aborted, with a BodyRefusal, where the sender is too slow or gone; and once the reception is over. */
  readonly signal: AbortSignal;
  stop(why: StopReason): void;
}

/** Does some work with a file as it comes. Throws BodyRefusal where the file is too large, too slow or broken off, and what the work throws. */
export type Receive = <T>(
  c: Context<AppEnv>,
  /** `aroundBytes`: what may come beside it; `what`: a file, where absent; `hint`: what to do about one that is too large. */
  limits: Pick<Reception, 'mostBytes'> & {
    readonly aroundBytes: number;
    readonly what?: string;
    readonly hint?: string;
  },
  work: (reception: Reception) => Promise<T>,
) => Promise<T>;

/** Receives files: a few at a time, none larger than it may be, and each as fast as a file on its way is. */
export function reception(clock: Clock, limits: ReceptionLimits = USUAL_LIMITS): Receive {
  let underWay = 0;
  return async (c, { mostBytes, aroundBytes, what = 'file', hint = SPLIT }, work) => {
    const { incoming } = c.env;
    const over = new AbortController();
    const stop = (why: StopReason) => over.abort(refusalFor(why, what, mostBytes, hint));
    const onClose = () => {
      if (!incoming.complete) stop('broken');
    };
    underWay += 1;
    try {
      if (Number(c.req.header('content-length') ?? 0) > mostBytes + aroundBytes)
        throw refusalFor('too-large', what, mostBytes, hint);
      if (underWay > limits.mostAtOnce) throw enough(limits.mostAtOnce, what);
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
  { leastBytes, perMs }: ReceptionLimits,
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

/** What to do about a file that is too large. */
const SPLIT =
  'Split it, or put it into the inbox another way. The limit is console.largestUpload in registrar.yaml.';

function refusalFor(why: StopReason, what: string, mostBytes: number, hint: string): BodyRefusal {
  switch (why) {
    case 'too-large':
      return new BodyRefusal(413, `the ${what} is larger than ${sizeWords(mostBytes)}`, hint);
    case 'too-slow':
      return new BodyRefusal(408, `the ${what} came too slowly`, 'Nothing of it was kept. Send it again.');
    case 'broken':
      return new BodyRefusal(400, `the ${what} didn’t come whole`, 'Nothing of it was kept. Send it again.');
  }
}

function enough(most: number, what: string): BodyRefusal {
  return new BodyRefusal(
    429,
    `${counted(most, what)} are being received already`,
    'Send it again in a minute.',
  );
}
