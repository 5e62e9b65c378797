/**
 * What a record of an operation is. `occurrences`: an event of its own, for ever (a completion). The others repeat only
 * the latest of their slot. `state`: it sets all there is to set, and what was not sent before it need not be (a skill
 * added, deleted, added). `steps`: each counts and is sent (a course created, renamed, deleted).
 */
export type OperationKind = 'occurrences' | 'state' | 'steps';

/** False where a newer revision of a key is a step after the earlier ones instead of taking their place. */
export function supersedes(kind: OperationKind): boolean {
  return kind !== 'steps';
}
