import type { ActionContext } from '../context.js';
import { listUnknown } from '../learners/unknown-learners.js';

/** Which learners. */
export interface LearnersAsked {
  readonly named: string | null;
  readonly from: number;
  readonly count: number;
}

/** Learners whom the platform doesn't know, as a page lists them; `listable`: how many can be listed, a part at a time. */
export type BrowsedLearners = Awaited<ReturnType<typeof browseLearners>>;

/**
 * Reads the learners whom the platform doesn't know, with near ones. Personal.
 * @param asked named: an identifier as people write it, only the learners it names; null: those with the most rows. from, count: the part
 *   of the list; near learners are searched for it alone.
 */
export function browseLearners(context: ActionContext, { named, ...shown }: LearnersAsked) {
  return listUnknown(context, named, shown);
}
