import type { PushEvent } from './watching.js';

/** Keeps pauses from filling the log: where somebody else uses the client id too, it is paused every minute. */
export interface PauseLog {
  /** Logs the first pause of a push for each reason; the others are counted. */
  paused(event: PushEvent & { readonly kind: 'paused' }): void;
  /** Logs, for each reason with several pauses, how many there were and their total time. */
  ended(environment: string): void;
}

/** @param warn writes one line of the log. */
export function createPauseLog(warn: (facts: object, message: string) => void): PauseLog {
  const counted = new Map<string, Map<string, { pauses: number; forMs: number }>>();
  return {
    paused({ environment, reason, forMs }) {
      const reasons = counted.get(environment) ?? new Map<string, { pauses: number; forMs: number }>();
      counted.set(environment, reasons);
      const known = reasons.get(reason);
      if (known) {
        known.pauses += 1;
        known.forMs += forMs;
      } else {
        reasons.set(reason, { pauses: 1, forMs });
        warn({ environment, reason, forMs }, 'pushing paused');
      }
    },
    ended(environment) {
      for (const [reason, { pauses, forMs }] of counted.get(environment) ?? []) {
        if (pauses > 1) warn({ environment, reason, pauses, forMs }, 'pushing was paused again');
      }
      counted.delete(environment);
    },
  };
}
