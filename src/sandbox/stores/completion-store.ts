import { isoFromMs } from '../../domain/clock.js';
import { canonicalLearnerId } from '../learners.js';

/** The attributes of a completion that have passed the checks of specification §2.2. */
export interface CompletionAttributes {
  readonly 'user-id': string;
  readonly 'user-identifier-type': string;
  readonly 'content-id': string;
  readonly 'content-id-type': string;
  readonly 'content-type': string;
  readonly 'completed-at': string;
  readonly percentile?: number;
}

export interface StoredCompletion {
  readonly id: string;
  /** Of the last write. */
  readonly attributes: CompletionAttributes;
  readonly firstAt: string;
  /** How many requests have written it; more than 1 means that it was sent again. */
  readonly writes: number;
}

export type CompletionStore = ReturnType<typeof createCompletionStore>;

/** Two requests are the same completion where learner, content and time of completion are equal. */
export function createCompletionStore() {
  const completions = new Map<string, StoredCompletion>();
  return {
    find: (attributes: CompletionAttributes) => completions.get(completionKey(attributes)) ?? null,
    write(attributes: CompletionAttributes, nowMs: number) {
      const key = completionKey(attributes);
      const earlier = completions.get(key);
      const stored: StoredCompletion = {
        id: earlier?.id ?? `completion-${completions.size + 1}`,
        attributes,
        firstAt: earlier?.firstAt ?? isoFromMs(nowMs),
        writes: (earlier?.writes ?? 0) + 1,
      };
      completions.set(key, stored);
      return stored;
    },
    /** In the order of their first write. */
    all: () => [...completions.values()],
  };
}

function completionKey(attributes: CompletionAttributes): string {
  const type = attributes['user-identifier-type'];
  return JSON.stringify([
    type.toLowerCase(),
    canonicalLearnerId(type, attributes['user-id']),
    attributes['content-type'].toLowerCase(),
    attributes['content-id-type'].toLowerCase(),
    attributes['content-id'],
    attributes['completed-at'],
  ]);
}
