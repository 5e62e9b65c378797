import { OperatorError } from '../domain/operator-error.js';
import { FAULT_KINDS, type FaultKind, type Faults, type ScheduledFault } from './faults.js';

/**
 * Reads faults, with commas between: `latency=50` holds every answer back 50 ms, `server-error=0.02` hits one request in
 * fifty, `drop-after@30` the 30th resource request, `throttle@10x2` the 10th and the one after, `latency=3000@5` the
 * fifth alone. Throws OperatorError that lists the known kinds for any other text.
 */
export function parseFaults(text: string): Faults {
  let latencyMs: number | undefined;
  const rates: Partial<Record<FaultKind, number>> = {};
  const schedule: ScheduledFault[] = [];

  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [, kind, value, at, times = '1'] = FAULT.exec(part) ?? [];
    if (!isFaultKind(kind)) throw unreadable(part);
    const isDelay = kind === 'latency';
    const amount = Number(value);
    if (at !== undefined && isDelay === (value !== undefined)) {
      const fault = { kind, at: Number(at), times: Number(times) };
      schedule.push(isDelay ? { ...fault, ms: amount } : fault);
    } else if (at === undefined && isDelay && value !== undefined) {
      latencyMs = amount;
    } else if (at === undefined && !isDelay && amount <= 1) {
      rates[kind] = amount;
    } else {
      throw unreadable(part);
    }
  }
  const ofRequests = Object.entries(rates).filter(([kind]) => kind !== 'tls-closed');
  // Sums of decimal fractions come out a hair above 1.
  if (ofRequests.reduce((sum, [, rate]) => sum + rate, 0) > 1 + 1e-9) throw unreadable(text);
  return { ...(latencyMs === undefined ? {} : { latencyMs }), rates, schedule };
}

const FAULT = /^([a-z-]+)(?:=(\d+(?:\.\d+)?))?(?:@([1-9]\d*)(?:x([1-9]\d*))?)?$/;

function isFaultKind(name: unknown): name is FaultKind {
  return typeof name === 'string' && Object.hasOwn(FAULT_KINDS, name);
}

function unreadable(part: string): OperatorError {
  return new OperatorError({
    operation: 'read the faults of the sandbox',
    subject: part,
    message: `the fault "${part}" can't be read`,
    hint: `Known kinds: ${Object.keys(FAULT_KINDS).join(', ')}. Write latency=50, server-error=0.02 (probabilities add up to at most 1), latency=3000@5, drop-after@30 or throttle@10x2.`,
  });
}
