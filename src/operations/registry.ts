import type { Operation } from './operation.js';
import { submitCompletion } from './submit-completion.js';

/** Every operation Registrar knows; a source names one of them. */
export const OPERATIONS: readonly Operation[] = [submitCompletion];

/** The operation of that name; undefined when there is none. */
export function findOperation(name: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.name === name);
}
