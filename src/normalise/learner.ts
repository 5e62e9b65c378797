import type { Field, Operation } from '../operations/operation.js';

/** True for identifier types whose identifiers are e-mail addresses, which are compared without case. */
export function isEmailType(type: unknown): boolean {
  return type === 'Email' || type === 'AliasEmail';
}

/** The field that says how a learner field is to be understood; null where the operation has none. */
export function identifierTypeField(operation: Operation, learner: Field): Field | null {
  return operation.fields.find((field) => field.implied?.by === learner.name) ?? null;
}
