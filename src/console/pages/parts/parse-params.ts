import { isoMoment } from '../../../domain/clock.js';
import { errorsOf } from '../../../domain/operator-error.js';

/** The number that a text of an address is; null for none. */
export function parseNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** What follows the name of a part of a path that is a number: only such an address is the page's. */
export const NUMBER = '{[0-9]{1,12}}';

/** One of the values that a text of an address may be; null for another one. */
export function parseChoice<Choice extends string>(text: string | undefined, choices: readonly Choice[]) {
  return choices.find((choice) => choice === text) ?? null;
}

/** The moment that a text of an address names, as ISO time; null for none. Throws OperatorError for another text. */
export function parseTime(text = ''): string | null {
  const moment = isoMoment(text);
  if (moment !== null || text.trim() === '') return moment;
  const hint = 'Write a day as 2026-03-02 or a time as 2026-03-02T08:00:00Z.';
  throw errorsOf('choose a time')(text, `"${text}" is no time`, hint);
}
