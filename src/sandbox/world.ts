import { isoFromMs } from '../domain/clock.js';

export interface SandboxWorld {
  readonly completions: CompletionStore;
  /** The skills of each content, in the order in which they were added. */
  readonly skills: Map<string, Set<string>>;
  readonly courses: ResourceStore;
  readonly groups: ResourceStore;
  /** A text as the platform gives it back (specification §2.5). */
  altered(text: string): string;
  isKnownLearner(type: string, id: string): boolean;
  isKnownContent(id: string): boolean;
  /** Answer 409 to a completion that is already there, instead of writing it again. */
  readonly conflictOnRepeat: boolean;
}

/** Learners or contents that the sandbox doesn't know: these, or for demonstrations all that hold a text. */
export type UnknownRule = { readonly unknown: readonly string[] } | { readonly unknownContaining: string };

/** True when the platform knows the learner. E-mail addresses compare without case, other identifiers with it. */
export function isKnownLearner(rule: UnknownRule, type: string, id: string): boolean {
  if ('unknownContaining' in rule) return !id.toLowerCase().includes(rule.unknownContaining.toLowerCase());
  return !rule.unknown.some((name) => canonicalLearnerId(type, name) === canonicalLearnerId(type, id));
}

/** The identifier in the form in which two identifiers of the same learner are equal. */
function canonicalLearnerId(type: string, id: string): string {
  return /email$/i.test(type) ? id.toLowerCase() : id;
}

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

type CompletionStore = ReturnType<typeof createCompletionStore>;

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

export interface StoredResource {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isDeleted: boolean;
}

type ResourceStore = ReturnType<typeof createResourceStore>;

/** Resources by the name that the sender gives them; a deleted one keeps its name (specification §3). */
export function createResourceStore(kind: string) {
  const resources = new Map<string, StoredResource>();
  return {
    find: (name: string) => resources.get(name) ?? null,
    write(name: string, attributes: Readonly<Record<string, unknown>>, isDeleted = false) {
      const stored = {
        id: resources.get(name)?.id ?? `${kind}-${resources.size + 1}`,
        attributes,
        isDeleted,
      };
      resources.set(name, stored);
      return stored;
    },
    /** In the order in which they were created. */
    all: () => [...resources.values()],
  };
}
