import type { Remedy } from '../../domain/remedy.js';
import { ATTENTION_STATES } from '../../domain/submission.js';
import type { Report } from '../report.js';

/**
 * The reruns that are possible for a run's rows, once their causes are resolved. Rows that another completion has overtaken
 * are left out, which is why a run with such rows gets no rerun of all its held rows.
 */
export function rerunsOf({ causes, states }: Pick<Report, 'causes' | 'states'>, runId: number): Remedy[] {
  const held = causes.filter(({ state }) => state === 'held');
  const outOfOrder = held.filter(({ cause }) => cause === 'out-of-order');
  const whole = ATTENTION_STATES.filter(
    (state) => states[state] > 0 && (state !== 'held' || outOfOrder.length === 0),
  );
  const reasons = outOfOrder.length === 0 ? [] : held.filter((cause) => !outOfOrder.includes(cause));
  return [
    ...(whole.length > 0 ? [{ action: 'rerun', selection: { states: whole, run: runId } } as const] : []),
    ...reasons.map(
      ({ code }) => ({ action: 'rerun', selection: { states: ['held'], cause: code, run: runId } }) as const,
    ),
  ];
}
