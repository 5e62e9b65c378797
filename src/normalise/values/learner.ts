import { isEmailType } from '../../domain/learners/learner.js';
import type { Cell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { readEmail } from './email.js';
import { readIdentifier } from './identifier.js';
import type { Reading } from './reading.js';

/** A learner's identifier of this type, read as staging reads cells. */
export function readLearnerId(
  type: string,
  cell: Cell | undefined,
  context: { readonly column: string },
): Reading<string> {
  return (isEmailType(type) ? readEmail : readIdentifier)(cell, context);
}

/** The field that says how a learner field is to be understood; null where the operation has none. */
export function identifierTypeField(operation: Operation, learner: Field): Field | null {
  return operation.fields.find((field) => field.implied?.by === learner.name) ?? null;
}
