import { appendFileSync } from 'node:fs';

/** The failpoint that a test has set for this process, read once: a test hook must cost nothing where it isn't used. */
const { REGISTRAR_FAILPOINT: armed, REGISTRAR_FAILPOINT_TRACE: tracePath } = process.env;

const [armedName, armedHit = '1', armedHow] = armed?.split(':') ?? [];

let hits = 0;

/**
 * For tests of what a crash leaves behind, whose names and order are in test/support/failpoints.ts.
 * `REGISTRAR_FAILPOINT=<name>:<n>` kills this process as `kill -9` does when it reaches that moment for the n-th time;
 * `<name>:<n>:stop` stops it there until it gets SIGCONT; `REGISTRAR_FAILPOINT_TRACE=<file>` gets each moment, one a line.
 */
export function failpoint(name: string): void {
  if (tracePath !== undefined) appendFileSync(tracePath, `${name}\n`);
  if (name !== armedName) return;
  hits += 1;
  if (hits === Number(armedHit)) process.kill(process.pid, armedHow === 'stop' ? 'SIGSTOP' : 'SIGKILL');
}
