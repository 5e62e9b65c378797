/**
 * `occurrences`: an event of its own, for ever (a completion). Records of the other kinds repeat only the latest of
 * their slot. `state`: sets the whole state; an earlier record that was not sent need not be (a skill added,
 * deleted). `steps`: each record counts and is sent (a course created, renamed, deleted).
 */
export type OperationKind = 'occurrences' | 'state' | 'steps';

/** False where a newer revision of a key is a further step and doesn't replace the earlier ones. */
export function supersedes(kind: OperationKind): boolean {
  return kind !== 'steps';
}
