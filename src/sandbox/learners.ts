/**
 * Which learners or contents the sandbox doesn't know: those with these identifiers, or, for demonstrations, every identifier
 * that holds a text.
 */
export type UnknownRule = { readonly unknown: readonly string[] } | { readonly unknownContaining: string };

/** True when the platform knows the learner. E-mail addresses compare without case, other identifiers with it. */
export function isKnownLearner(rule: UnknownRule, type: string, id: string): boolean {
  if ('unknownContaining' in rule) return !id.toLowerCase().includes(rule.unknownContaining.toLowerCase());
  return !rule.unknown.some((name) => canonicalLearnerId(type, name) === canonicalLearnerId(type, id));
}

/** True where the platform knows the content. Content has one identifier, whose case counts. */
export function isKnownContent(rule: UnknownRule, id: string): boolean {
  return isKnownLearner(rule, 'content', id);
}

/** The identifier in the form in which two identifiers of the same learner are equal. */
export function canonicalLearnerId(type: string, id: string): string {
  return /email$/i.test(type) ? id.toLowerCase() : id;
}
