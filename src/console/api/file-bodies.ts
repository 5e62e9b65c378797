import type { Context } from 'hono';
import type { SentFile } from '../../actions/access/answer-once.js';
import type { Clock } from '../../domain/clock.js';
import type { AppEnv } from '../server/app-env.js';
import { reception, upTo } from '../server/bodies/reception.js';

import { ApiRefusal } from './refusal.js';

/** Does some work with a file that a program sends as the whole body of a request. Throws UploadRefusal and ApiRefusal, and what the work throws. */
export type WithFile = <T>(
  c: Context<AppEnv>,
  mostBytes: number,
  work: (sent: SentFile) => Promise<T>,
) => Promise<T>;

/** Reads files that programs send. */
export function fileBodies(clock: Clock): WithFile {
  const receive = reception(clock);
  return (c, mostBytes, work) =>
    receive(c, { mostBytes, aroundBytes: 0 }, async (received) => {
      requireBytes(c);
      return work({ chunks: upTo(c.env.incoming, received), signal: received.signal });
    });
}

/** A form's parts would be taken for the file. */
function requireBytes(c: Context<AppEnv>): void {
  if (!c.req.header('content-type')?.toLowerCase().startsWith('multipart/')) return;
  throw new ApiRefusal(415, {
    operation: 'receive a file',
    subject: 'Content-Type',
    message: 'a form is not read here',
    hint: 'Send the bytes of the file alone, as application/octet-stream: curl --data-binary @FILE.',
  });
}
