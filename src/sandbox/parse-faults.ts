import { OperatorError } from '../domain/operator-error.js';
import { FAULT_KINDS, type FaultKind, type Faults, type ScheduledFault, TIMED_KINDS } from './faults.js';

/**
 * Reads faults, with commas between: `latency=50` holds every answer back 50 ms, `server-error=0.02` hits one request in
 * fifty, `drop-after@30` the 30th resource request, `throttle@10x2` the 10th and the one after, `latency=3000@5` the
 * fifth alone. Throws OperatorError that lists the known kinds for any other text.
 */
export function parseFaults(text: string): Faults {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  let latencyMs: number | undefined;
  const rates: Partial<Record<FaultKind, number>> = {};
  const schedule: ScheduledFault[] = [];

  for (const part of parts) {
    const match = /^([a-z-]+)(?:=(\d+(?:\.\d+)?))?(?:@(\d+)(?:x(\d+))?)?$/.exec(part);
    const kind = match?.[1];
    if (!match || !isFaultKind(kind)) throw unreadable(part, 'is not known');
    const value = match[2] === undefined ? undefined : Number(match[2]);
    const at = match[3] === undefined ? undefined : Number(match[3]);
    const times = match[4] === undefined ? 1 : Number(match[4]);

    const isTimed = TIMED_KINDS.includes(kind);
    if (isTimed && value === undefined) throw unreadable(part, 'needs milliseconds');
    if (at === 0 || times === 0) throw unreadable(part, 'counts from 1');
    if (at !== undefined) {
      if (!isTimed && value !== undefined) throw unreadable(part, 'has both a probability and a place');
      schedule.push(isTimed ? { kind, at, times, ms: value } : { kind, at, times });
    } else if (kind === 'latency') {
      latencyMs = value;
    } else if (isTimed) {
      throw unreadable(part, 'needs the number of a request');
    } else if (value === undefined || value > 1) {
      throw unreadable(part, 'needs a probability from 0 to 1, or the number of a request');
    } else {
      rates[kind] = value;
    }
  }
  requireProbabilities(rates);
  return { ...(latencyMs === undefined ? {} : { latencyMs }), rates, schedule };
}

function requireProbabilities(rates: NonNullable<Faults['rates']>): void {
  const byEndpoint = Object.entries(rates).filter(([kind]) => kind !== 'tls-closed');
  const sum = byEndpoint.reduce((total, [, rate]) => total + (rate ?? 0), 0);
  // Sums of decimal fractions come out a hair above 1.
  if (sum > 1 + 1e-9 || (rates['tls-closed'] ?? 0) > 1) {
    throw unreadable(JSON.stringify(rates), 'has probabilities that add up to more than 1');
  }
}

function isFaultKind(name: unknown): name is FaultKind {
  return typeof name === 'string' && Object.hasOwn(FAULT_KINDS, name);
}

function unreadable(part: string, why: string): OperatorError {
  return new OperatorError({
    operation: 'read the faults of the sandbox',
    subject: part,
    message: `the fault "${part}" ${why}`,
    hint: `Known kinds: ${Object.keys(FAULT_KINDS).join(', ')}. Write latency=50, server-error=0.02, drop-after@30 or throttle@10x2.`,
  });
}
