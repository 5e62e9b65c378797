import type { ExitName } from '../domain/operator-error.js';
import type { FailedPing, PingEnd } from '../monitor/ping.js';

/** The ping of a run that ended so: rows that need attention are no failure of the run. */
export function pingEnd(exit: ExitName): PingEnd {
  if (exit === 'done' || exit === 'attention') return 'success';
  return exit === 'interrupted' || exit === 'terminated' ? 'stopped' : 'fail';
}

export function failedPingText({ job, host, step, reason }: FailedPing): string {
  return `the ping of ${host} (${job}, ${step}) failed: ${reason}. Work continues; see monitor.pings of registrar.yaml.`;
}
