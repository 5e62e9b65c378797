import type { Learner } from '../../../domain/learners/learner.js';
import type { Content } from '../../../domain/record.js';
import type { RecordKeys } from './keys.js';

/** A record ready to be written, with its keys. Personal. */
export interface PreparedRecord {
  readonly keys: RecordKeys;
  /** null where it is about no learner. */
  readonly learner: Learner | null;
  readonly content: Content;
  /** Its other fields that are sent, as `recordText` writes them. */
  readonly text: string;
  /** Its keys under each former identifier of its learner; absent: there is none. */
  readonly formers?: readonly RecordKeys[];
}
