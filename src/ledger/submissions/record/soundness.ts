import type { KeyMaker, RecordKeys } from './keys.js';
import { partsIn } from './record-text.js';

/** A submission's hashes as they are kept, with the record that they are hashes of. Personal. */
export interface KeptRecord extends RecordKeys {
  readonly environment: string;
  /** As `fieldsIn` reads it; null once erased. */
  readonly told: string | null;
}

/**
 * False where a record isn't the one that was staged: SQLite notices a byte changed by the disk only where its own structure
 * breaks. True where it was erased.
 * @param keys of the ledger that keeps it.
 */
export function isSound(keys: KeyMaker, { told, environment, ...kept }: KeptRecord): boolean {
  if (told === null) return true;
  const parts = partsIn(told);
  if (parts === null) return false;
  const { operation, learner, content, occurredAt, text } = parts;
  const about = {
    learner: learner === null ? null : keys.learner(learner.type, learner.id),
    content: keys.content(content),
    occurredAt,
  };
  return (
    about.learner === kept.learner &&
    about.content === kept.content &&
    keys.digest({ operation, environment }, about, text) === kept.digest
  );
}
