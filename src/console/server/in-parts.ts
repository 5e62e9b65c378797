import { setTimeout as pause } from 'node:timers/promises';
import type { InParts } from '../pages/document.js';
import type { Shown } from '../pages/page.js';
import { streamOfPieces } from './bodies/stream-of-pieces.js';

/** What is known within this time is sent as one, with the status of its outcome. */
const SOON_MS = 25;

/** True where a promise is settled soon. */
export function isSoon(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, pause(SOON_MS, false)]);
}

/** The bytes of a page in parts: its head now, the rest when it is known. @param problemOf what is shown of a failure. */
export function streamOf(
  { head, rest, broken }: InParts,
  problemOf: (error: unknown) => Shown,
): ReadableStream<Uint8Array> {
  // Also where nobody waits for the rest any more.
  const last = rest.catch((error) => broken(problemOf(error)));
  const pieces = async function* () {
    yield head;
    yield await last;
  };
  return streamOfPieces(pieces());
}
