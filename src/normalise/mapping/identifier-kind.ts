import { type Cell, cellText } from '../../domain/row.js';
import { areAddresses } from './sample-values.js';

/** The type of identifier that a column of learners probably holds. */
export interface IdentifierKind {
  /** A value of `user-identifier-type` (specification §2.2). */
  readonly type: 'Email' | 'EmployeeId' | 'UserId';
  /** What its values are, the end of a sentence; null where there are none. */
  readonly values: string | null;
  /** True where the values leave no doubt. */
  readonly isSure: boolean;
}

/**
 * Addresses are of type Email. Which of the platform's other types an identifier is of nobody can see: numbers and
 * codes are those of personnel systems more often than not, names and GUIDs those of accounts.
 */
export function identifierKind(values: readonly Cell[]): IdentifierKind {
  if (values.length === 0) return { type: 'UserId', values: null, isSure: false };
  if (areAddresses(values)) return { type: 'Email', values: 'are addresses', isSure: true };
  const texts = values.map((cell) => cellText(cell).trim());
  const all = (form: RegExp) => texts.every((text) => form.test(text));
  if (all(/^\{?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\}?$/i)) {
    return { type: 'UserId', values: 'are GUIDs, as directories give to accounts', isSure: false };
  }
  if (all(/^\d+$/)) return { type: 'EmployeeId', values: 'are numbers', isSure: false };
  if (all(/^\p{L}{0,4}[-_ ]?\d[\d-]*$/u)) {
    return { type: 'EmployeeId', values: 'are numbers with letters in front', isSure: false };
  }
  const mixed = texts.some((text) => text.includes('@'));
  return {
    type: 'UserId',
    values: mixed ? 'are addresses in part' : 'are names or codes',
    isSure: false,
  };
}
