import type { Context } from 'hono';
import { sizeWords } from '../../config/values/file-size.js';
import type { Clock } from '../../domain/clock.js';
import type { AppEnv } from '../server/app-env.js';
import {
  type StopReason,
  UploadStopped,
  USUAL_LIMITS,
  upTo,
  watchPace,
} from '../server/bodies/upload-stream.js';
import type { SentFile } from './operation.js';
import { ApiRefusal, type RefusalStatus } from './refusal.js';

/** Files that programs send as whole bodies of requests. */
export interface FileBodies {
  /** Does some work with the file, as it comes. Throws ApiRefusal where it is too large, too slow or broken off. */
  within<T>(c: Context<AppEnv>, mostBytes: number, work: (sent: SentFile) => Promise<T>): Promise<T>;
}

/** A few at a time, none larger than it may be, and each as fast as a file on its way is. */
export function fileBodies(clock: Clock, limits = USUAL_LIMITS): FileBodies {
  let underWay = 0;
  return {
    async within(c, mostBytes, work) {
      requireBytes(c);
      if (underWay >= limits.mostAtOnce) throw enough(limits.mostAtOnce);
      underWay += 1;
      const over = new AbortController();
      const stop = (reason: StopReason) => over.abort(new UploadStopped(reason));
      const { incoming } = c.env;
      const onClose = () => {
        if (!incoming.complete) stop('gone');
      };
      try {
        if (Number(c.req.header('content-length') ?? 0) > mostBytes) throw new UploadStopped('too-large');
        incoming.on('close', onClose);
        void watchPace(incoming, clock, limits, over.signal, () => stop('too-slow'));
        return await work({ chunks: whole(upTo(incoming, mostBytes, stop)), signal: over.signal });
      } catch (error) {
        // What still comes of the file belongs to no other request.
        c.header('connection', 'close');
        throw error instanceof UploadStopped ? refusalFor(error.reason, mostBytes) : error;
      } finally {
        incoming.off('close', onClose);
        // Ends the watch.
        stop('gone');
        underWay -= 1;
      }
    },
  };
}

/** A connection that breaks off is no fault of the program. */
async function* whole(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? new UploadStopped('gone') : error;
  }
}

/** A form's parts would be taken for the file. */
function requireBytes(c: Context<AppEnv>): void {
  if (!c.req.header('content-type')?.toLowerCase().startsWith('multipart/')) return;
  c.header('connection', 'close');
  throw new ApiRefusal(415, {
    operation: 'take a file',
    subject: 'Content-Type',
    message: 'a form is not read here',
    hint: 'Send the bytes of the file alone, as application/octet-stream: curl --data-binary @FILE.',
  });
}

function refusalFor(reason: StopReason, mostBytes: number): ApiRefusal {
  const refused = (status: RefusalStatus, message: string, hint: string) =>
    new ApiRefusal(status, { operation: 'take a file', subject: 'the body', message, hint });
  switch (reason) {
    case 'too-large':
      return refused(
        413,
        `the file is larger than ${sizeWords(mostBytes)}`,
        'Split it, or put it into the inbox by another way. registrar.yaml sets console.largestUpload.',
      );
    case 'too-slow':
      return refused(408, 'the file came too slowly', 'Nothing of it was kept. Send it again.');
    case 'gone':
    case 'broken':
      return refused(400, 'the file didn’t come whole', 'Nothing of it was kept. Send it again.');
  }
}

function enough(most: number): ApiRefusal {
  return new ApiRefusal(429, {
    operation: 'take a file',
    subject: 'the body',
    message: `${most} files are being sent already`,
    hint: 'Send it again in a minute.',
  });
}
