import { ATTENTION_STATES } from '../ledger/attention.js';
import type { Report } from './report.js';
import { shellWord } from './shell-word.js';

/**
 * Which rows of a report a rerun may be given for, once somebody has seen to them, as options of `registrar rerun`: those
 * that another completion has overtaken are left, and a rerun of all that is held would send them.
 */
export function rerunsOf({ causes, states }: Report): string[] {
  const held = causes.filter(({ state }) => state === 'held');
  const left = held.filter(({ code }) => code === 'out-of-order');
  const whole = ATTENTION_STATES.filter(
    (state) => states[state] > 0 && (state !== 'held' || left.length === 0),
  );
  const reasons = left.length === 0 ? [] : held.filter((cause) => !left.includes(cause));
  return [
    ...(whole.length > 0 ? [`--state ${whole.join(',')}`] : []),
    ...reasons.map(({ code }) => `--state held --reason ${shellWord(code)}`),
  ];
}
