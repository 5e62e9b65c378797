import { isoMoment } from '../../../domain/clock.js';
import { errorsOf } from '../../../domain/operator-error.js';

/** null: the parameter is missing or not a number. */
export function parseNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** The pattern of a numeric path parameter. */
export const NUMBER = '{[0-9]{1,12}}';

/** null: the parameter is missing or none of the choices. */
export function parseChoice<Choice extends string>(text: string | undefined, choices: readonly Choice[]) {
  return choices.find((choice) => choice === text) ?? null;
}

/** An ISO time; null: the parameter is empty. Throws OperatorError for any other text. */
export function parseTime(text = ''): string | null {
  const moment = isoMoment(text);
  if (moment !== null || text.trim() === '') return moment;
  const hint = 'Write a day as 2026-03-02 or a time as 2026-03-02T08:00:00Z.';
  throw errorsOf('choose a time')(text, `"${text}" is not a time`, hint);
}
