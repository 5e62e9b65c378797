import { readFileSync } from 'node:fs';

/**
 * To be loaded before the program (`node --import`): its monotonic clock is ahead of the machine's by as many milliseconds as
 * the file that `CLOCK_AHEAD` names says at each look. So time passes for several processes at once, those that are stopped
 * among them, and no test waits for it.
 */
const { CLOCK_AHEAD } = process.env;

const now = process.hrtime.bigint;

if (CLOCK_AHEAD !== undefined) {
  process.hrtime.bigint = () => now() + BigInt(readFileSync(CLOCK_AHEAD, 'utf8')) * 1_000_000n;
}
