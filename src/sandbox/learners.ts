/**
 * Which learners the sandbox knows. A text names an identifier of any type; an object names it for one type only.
 * `unknownContaining` is for demonstrations: every identifier that holds the text is unknown.
 */
export type LearnerRule =
  | 'all'
  | { readonly unknown: readonly LearnerName[] }
  | { readonly known: readonly LearnerName[] }
  | { readonly unknownContaining: string };

type LearnerName = string | { readonly type: string; readonly id: string };

/** True when the platform knows the learner. E-mail addresses compare without case, other identifiers with it. */
export function isKnownLearner(rule: LearnerRule, type: string, id: string): boolean {
  if (rule === 'all') return true;
  if ('unknownContaining' in rule) return !id.toLowerCase().includes(rule.unknownContaining.toLowerCase());
  const named = (names: readonly LearnerName[]) => names.some((name) => isSameLearner(name, type, id));
  return 'known' in rule ? named(rule.known) : !named(rule.unknown);
}

/** True where the platform knows the content. Content has one identifier, whose case counts. */
export function isKnownContent(rule: LearnerRule, id: string): boolean {
  return isKnownLearner(rule, 'content', id);
}

/** The identifier in the form in which two identifiers of the same learner are equal. */
export function canonicalLearnerId(type: string, id: string): string {
  return /email$/i.test(type) ? id.toLowerCase() : id;
}

function isSameLearner(name: LearnerName, type: string, id: string): boolean {
  if (typeof name !== 'string' && name.type !== type) return false;
  const namedId = typeof name === 'string' ? name : name.id;
  return canonicalLearnerId(type, namedId) === canonicalLearnerId(type, id);
}
