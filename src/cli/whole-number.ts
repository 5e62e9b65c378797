import { InvalidArgumentError } from 'commander';

/** Reads an option's whole number, 0 included. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
