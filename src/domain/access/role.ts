/** `viewer`: counts and causes, no rows. `operator`: sees rows in full, and acts. `auditor`: sees all. */
export const ROLES = ['viewer', 'operator', 'auditor'] as const;

export type Role = (typeof ROLES)[number];

/** An authenticated user: a person, or a program with a token. */
export interface Person {
  readonly name: string;
  readonly role: Role;
}
