import { OperatorError } from '../../../domain/operator-error.js';

/** The number that a text of an address is; null for none. */
export function numberIn(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** The same where the address must have one. Throws OperatorError otherwise. @param thing what has numbers: "run". */
export function numberOf(text: string | undefined, thing: string): number {
  const number = numberIn(text);
  if (number !== null) return number;
  throw new OperatorError({
    operation: `show a ${thing}`,
    subject: String(text),
    message: `"${String(text)}" is no number of a ${thing}`,
    hint: `A ${thing} is named by its number, such as 12.`,
  });
}

/** One of the values that a text of an address may be; null for another one. */
export function choiceIn<Choice extends string>(
  text: string | undefined,
  choices: readonly Choice[],
): Choice | null {
  return choices.find((choice) => choice === text) ?? null;
}
