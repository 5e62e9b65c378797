/**
 * What somebody may do on a page or by the HTTP interface. `viewer`: sees counts and causes, personal data masked, and acts on
 * nothing. `operator`: sees rows in full, and acts. `auditor`: sees all in full, and acts on nothing.
 */
export const ROLES = ['viewer', 'operator', 'auditor'] as const;
