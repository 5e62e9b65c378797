/**
 * What somebody may do on a page or by the HTTP interface. `viewer`: sees counts and causes, personal data masked, and acts on
 * nothing. `operator`: sees rows in full, and acts. `auditor`: sees all in full, and acts on nothing.
 */
export const ROLES = ['viewer', 'operator', 'auditor'] as const;

export type Role = (typeof ROLES)[number];

/** Somebody who uses the console, or a program that uses its HTTP interface. */
export interface Person {
  /** As the door knows it: recorded with decisions. */
  readonly name: string;
  readonly role: Role;
}
