import type { Identified } from '../../domain/learners/corrected-learners.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { Ledger } from '../../ledger/store/query.js';
import { readLearnerId } from '../../normalise/values/email.js';
import { keyMaker } from '../../operations/keys.js';

/**
 * The learner whom a text names by this type of identifier, read as staging reads cells. Throws OperatorError where the
 * text can't be such an identifier; the sentence doesn't repeat the text.
 * @param what the text's name in sentences: the old identifier.
 */
export function learnerFromText(ledger: Ledger, type: string, text: string, what: string): Identified {
  const reading = readLearnerId(type, text, { column: what });
  if ('value' in reading && reading.value !== null) {
    return { type, id: reading.value, hash: keyMaker(ledger.salt).learner(type, reading.value) };
  }
  throw new OperatorError({
    operation: 'map a learner',
    subject: what,
    message: 'issue' in reading ? withoutValue(reading.issue) : `${what} means "no value"`,
    hint: `It is read as ${type}; name its type if it is another.`,
    reason: 'invalid',
  });
}

function withoutValue({ message, value }: { message: string; value: string | null }): string {
  return message.replace(` "${value ?? ''}"`, '');
}
