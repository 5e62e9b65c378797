/** Learners or contents that the sandbox doesn't know: these, or for demonstrations all that hold a text. */
export type UnknownRule = { readonly unknown: readonly string[] } | { readonly unknownContaining: string };

/** True when the platform knows the learner. E-mail addresses compare without case, other identifiers with it. */
export function isKnownLearner(rule: UnknownRule, type: string, id: string): boolean {
  if ('unknownContaining' in rule) return !id.toLowerCase().includes(rule.unknownContaining.toLowerCase());
  return !rule.unknown.some((name) => canonicalLearnerId(type, name) === canonicalLearnerId(type, id));
}

/** The identifier in the form in which two identifiers of the same learner are equal. */
export function canonicalLearnerId(type: string, id: string): string {
  return /email$/i.test(type) ? id.toLowerCase() : id;
}
