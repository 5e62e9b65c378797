import type { Issue } from '../domain/issue.js';

/** A file, a sheet or a drop that can't be read, and why. */
export interface Refused {
  readonly kind: 'refused';
  readonly issues: readonly Issue[];
}

/** A refusal for these issues. */
export function refused(...issues: readonly Issue[]): Refused {
  return { kind: 'refused', issues };
}
