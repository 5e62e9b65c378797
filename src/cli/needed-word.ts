import { OperatorError } from '../domain/operator-error.js';

/** The word or value that an action of a command can't do without. Throws OperatorError that names what is missing. */
export function needed<Value>(value: Value | undefined, what: string, example: string): Value {
  if (value !== undefined) return value;
  throw new OperatorError({
    operation: 'read the options',
    subject: what,
    message: `${what} is missing`,
    hint: `Write it as in this example: ${example}`,
  });
}
