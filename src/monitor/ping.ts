import type { PingConfig } from '../config/schema/monitor-schema.js';
import type { Clock } from '../domain/clock.js';
import { createHttp } from '../platform/http.js';

/** How a job ended; `stopped`: no ping is sent, because the job is not over. */
export type PingEnd = 'success' | 'fail' | 'stopped';

export interface FailedPing {
  readonly job: string;
  /** The host alone: the rest of the address is as secret as a password. */
  readonly host: string;
  readonly step: 'start' | 'success' | 'fail';
  readonly reason: string;
}

export interface PingContext {
  readonly clock: Clock;
  readonly onFailure: (failed: FailedPing) => void;
}

/** A dead man's switch answers at once; work never waits longer for it. */
const PING_MS = 10_000;

/**
 * Pings the addresses of a job when its work starts and ends; work that throws has failed. The work waits for
 * no address, its result is the same with and without them, and an address that doesn't answer is only reported.
 * @param pings those of all jobs.
 */
export async function withPings<T>(
  pings: readonly PingConfig[],
  job: string,
  context: PingContext,
  work: () => Promise<T>,
  endOf: (result: T) => PingEnd,
): Promise<T> {
  const ping = (step: FailedPing['step']) => sendPings(pings, job, step, context);
  const started = ping('start');
  const end = async (how: PingEnd) => {
    // In order: a start that comes after its end would look like work that hangs.
    await started;
    if (how !== 'stopped') await ping(how);
  };
  try {
    const result = await work();
    await end(endOf(result));
    return result;
  } catch (error) {
    await end('fail');
    throw error;
  }
}

/** Pings the addresses of a job. @param pings those of all jobs. */
export async function sendPings(
  pings: readonly PingConfig[],
  job: string,
  step: FailedPing['step'],
  { clock, onFailure }: PingContext,
): Promise<void> {
  await Promise.all(
    pings
      .filter((ping) => ping.job === job)
      .map(async (ping) => {
        const reason = await sendPing(ping, step, clock);
        if (reason !== null) onFailure({ job, host: new URL(addressOf(ping, step)).host, step, reason });
      }),
  );
}

function addressOf({ url, start, fail }: PingConfig, step: FailedPing['step']): string {
  return { start, success: url, fail }[step];
}

/** Why the address was not reached; null: it was. */
async function sendPing(ping: PingConfig, step: FailedPing['step'], clock: Clock): Promise<string | null> {
  const http = createHttp(clock, false, { caFile: ping.caFile });
  try {
    const request = { method: 'GET', url: addressOf(ping, step), headers: {}, body: null };
    const { response, failure } = await http.exchange(request, { deadlineMs: PING_MS, mayLeave: () => true });
    if (failure !== null) return failure.message;
    return response.status < 300 ? null : `it answers ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await http.close().catch(() => {});
  }
}
