import { text } from 'node:stream/consumers';
import type { Context } from 'hono';
import type { Clock } from '../../../domain/clock.js';
import type { AppEnv } from '../request.js';
import { type ReceptionLimits, reception, upTo } from './reception.js';

/** Selections, reasons and cells of a form are short; each cell comes with its former value. */
const MAX_BYTES = 5_000_000;

/** A person or a program sends them at once. */
const LIMITS: ReceptionLimits = { leastBytes: MAX_BYTES, perMs: 15_000, mostAtOnce: 1_000 };

/** Reads the body of a request as text. Throws RequestRefusal where it is too large, comes too slowly, or breaks off. */
export type ReadText = (c: Context<AppEnv>) => Promise<string>;

export function textReader(clock: Clock, limits = LIMITS, mostBytes = MAX_BYTES): ReadText {
  const receive = reception(clock, limits);
  return (c) =>
    receive(c, { mostBytes, aroundBytes: 0 }, (received) => {
      const { signal } = received;
      const over = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return Promise.race([text(upTo(c.env.incoming, received)), over]);
    });
}
