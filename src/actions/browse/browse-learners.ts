import { maskText } from '../../report/words/mask.js';
import type { ActionContext } from '../context.js';
import { listUnknown, type UnknownLearners } from '../learners/unknown-learners.js';

/** Learners whom the platform doesn't know, as a page lists them. */
export interface BrowsedLearners extends UnknownLearners {
  readonly isMasked: boolean;
}

/**
 * Reads the learners whom the platform doesn't know, with near ones.
 * @param asked named: an identifier as people write it, only the learners it names; null: those with the most rows. isMasked: true for
 *   who may see no personal data; then nobody is looked for by name.
 */
export async function browseLearners(
  context: ActionContext,
  { named, isMasked }: { readonly named: string | null; readonly isMasked: boolean },
): Promise<BrowsedLearners> {
  const found = await listUnknown(context, isMasked ? null : named);
  if (!isMasked) return { ...found, isMasked };
  const unknown = found.unknown.map((one) => ({
    ...one,
    id: maskText(one.id),
    near: one.near.map((near) => ({ ...near, id: maskText(near.id) })),
  }));
  return { ...found, unknown, isMasked };
}
