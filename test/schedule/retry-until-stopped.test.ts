import { expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/operator-error.js';
import { isPassing } from '../../src/domain/process/io-hints.js';
import { retryUntilStopped } from '../../src/schedule/retry-until-stopped.js';
import type { ServiceListener } from '../../src/schedule/service-event.js';
import { ioError } from '../../src/workspace/files/io-error.js';
import { manualClock } from '../support/manual-clock.js';

const OPENED = 'opened';

const locked = new OperatorError({
  operation: 'open the ledger',
  subject: 'registrar.db',
  message: 'the ledger was locked for 30 s',
  exit: 'io',
  cause: { code: 'SQLITE_BUSY' },
});

/** Opens after these errors. */
async function opening(errors: readonly unknown[], stop = new AbortController()) {
  const left = [...errors];
  const againMs: (number | null)[] = [];
  const open = async () => {
    if (left.length === 0) return OPENED;
    throw left.shift();
  };
  const listen: ServiceListener = (event) => {
    if (event.kind === 'failed') againMs.push(event.againMs);
    if (againMs.length === 3) stop.abort();
  };
  const opened = await retryUntilStopped(
    open,
    {
      clock: manualClock(),
      stop: stop.signal,
      listen,
    },
    isPassing,
  );
  return { opened, againMs };
}

it('a full disk, a locked ledger and a read-only file system are waited for, ever longer', async () => {
  expect(await opening([{ code: 'ENOSPC' }, locked])).toEqual({ opened: OPENED, againMs: [1_000, 2_000] });
  const readOnly = ioError('create a folder', '/mnt/inbox', Object.assign(new Error(), { code: 'EROFS' }));
  expect(await opening([readOnly])).toEqual({ opened: OPENED, againMs: [1_000] });
});

it('a ledger that is damaged is not waited for', async () => {
  const damaged = { code: 'SQLITE_CORRUPT' };
  await expect(opening([locked, damaged])).rejects.toBe(damaged);
});

it('a stop signal ends the wait for the ledger', async () => {
  expect((await opening([locked, locked, locked, locked])).opened).toBeNull();
});
