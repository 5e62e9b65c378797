import { errorsOf } from '../domain/operator-error.js';

export const usageError = errorsOf('read the options');

/** The word or value that an action of a command can't do without. Throws OperatorError that names what is missing. */
export function requireInput<Value>(value: Value | undefined, what: string, example: string): Value {
  if (value !== undefined) return value;
  throw usageError(what, `${what} is missing`, `Write it as in this example: ${example}`);
}
