import { maskText } from '../../report/words/mask.js';
import type { ActionContext } from '../context.js';
import { listUnknown, type UnknownLearners } from '../learners/unknown-learners.js';

/** Learners whom the platform doesn't know, as a page lists them. */
export interface BrowsedLearners extends UnknownLearners {
  readonly isMasked: boolean;
  /** How many of them can be listed, a part at a time. */
  readonly listable: number;
}

/** Which of them. */
export interface LearnersAsked {
  readonly named: string | null;
  readonly isMasked: boolean;
  readonly from: number;
  readonly count: number;
}

/**
 * Reads the learners whom the platform doesn't know, with near ones.
 * @param asked named: an identifier as people write it, only the learners it names; null: those with the most rows. isMasked: true for
 *   who may see no personal data; then nobody is looked for by name. from, count: the part of the list; near learners are searched for it alone.
 */
export async function browseLearners(
  context: ActionContext,
  { named, isMasked, ...shown }: LearnersAsked,
): Promise<BrowsedLearners> {
  const found = await listUnknown(context, isMasked ? null : named, shown);
  if (!isMasked) return { ...found, isMasked };
  const unknown = found.unknown.map((one) => ({
    ...one,
    id: maskText(one.id),
    near: one.near.map((near) => ({ ...near, id: maskText(near.id) })),
  }));
  return { ...found, unknown, isMasked };
}
