import type { IdentifiedLearner } from '../../domain/learners/corrected-learners.js';
import { errorsOf } from '../../domain/operator-error.js';
import type { Selection } from '../../domain/selection.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { Ledger } from '../../ledger/store/query.js';
import { readLearnerId } from '../../normalise/values/email.js';
import { keyMaker } from '../../operations/keys.js';
import { OPERATIONS } from '../../operations/registry.js';

export const IDENTIFIER_TYPES: readonly string[] = [
  ...new Set(
    OPERATIONS.flatMap(
      ({ fields }) => fields.find(({ name }) => name === 'user-identifier-type')?.choices ?? [],
    ),
  ),
];

/** A selection with the learners whom it names; null: it names none. */
export function withLearners(ledger: Ledger, selection: Selection) {
  const { learner } = selection;
  return { selection, learners: learner === null ? null : learnersNamed(ledger, learner) };
}

/**
 * The learners whom a text may name, one for each identifier type. It is read as staging reads cells, so that
 * `Jane <JANE@example.com>` is jane@example.com; its own spelling and the one in lower case count too.
 */
export function learnersNamed(ledger: Ledger, text: string): readonly IdentifiedLearner[] {
  const keys = keyMaker(ledger.salt);
  return IDENTIFIER_TYPES.flatMap((type) => {
    const reading = readLearnerId(type, text, { column: '' });
    const read = 'value' in reading && reading.value !== null ? [reading.value] : [];
    const spellings = new Set([...read, text.trim(), text.trim().toLowerCase()]);
    return [...spellings].map((id) => ({ type, id, hash: keys.learner(type, id) }));
  });
}

/**
 * The learner whom the text names by a wrong identifier, among those with rows or a correction in the ledger. Throws
 * OperatorError where it fits none or several. @param type where it is given, the learner needn't be known.
 */
export async function learnerToMap(
  ledger: Ledger,
  text: string,
  type: string | undefined,
): Promise<IdentifiedLearner> {
  const named = learnersNamed(ledger, text).filter((learner) => type === undefined || learner.type === type);
  const { withRows, corrections } = await knownLearners(
    ledger,
    named.map(({ hash }) => hash),
  );
  const corrected = new Set(corrections.map(({ old }) => old.hash));
  const existing = named.filter(({ hash }) => withRows.has(hash) || corrected.has(hash));
  const [first] = existing;
  if (!first && type !== undefined) return learnerFromText(ledger, type, text, 'the old identifier');
  const types = [...new Set(existing.map((learner) => learner.type))];
  if (!first) {
    throw refusal(
      'the old identifier',
      'no row has the old identifier',
      'Look for a typo in the list of unknown learners. To correct it for future files, name its type, such as Email.',
      { reason: 'not-found' },
    );
  }
  if (types.length > 1) {
    const message = `the old identifier is one of ${types.length} types`;
    throw refusal('the old identifier', message, `Choose its type: ${types.join(' or ')}.`, INVALID);
  }
  return first;
}

/** The identifier type as the platform writes it. @param field has the text; for the refusal. */
export function identifierType(text: string, field: string): string {
  const type = IDENTIFIER_TYPES.find((name) => name.toLowerCase() === text.toLowerCase());
  if (type !== undefined) return type;
  const hint = `Use one of ${IDENTIFIER_TYPES.join(', ')}.`;
  throw refusal(field, `"${text}" is not a type of identifier`, hint, INVALID);
}

/**
 * The learner whom a text names by this type of identifier, read as staging reads cells. Throws OperatorError, which doesn't
 * repeat the text. @param what the text's name in sentences: the old identifier.
 */
export function learnerFromText(ledger: Ledger, type: string, text: string, what: string): IdentifiedLearner {
  const reading = readLearnerId(type, text, { column: what });
  if ('value' in reading && reading.value !== null) {
    return { type, id: reading.value, hash: keyMaker(ledger.salt).learner(type, reading.value) };
  }
  const message =
    'issue' in reading
      ? reading.issue.message.replace(` "${reading.issue.value ?? ''}"`, '')
      : `${what} means "no value"`;
  throw refusal(what, message, `It is read as ${type}; name its type if it is another.`, INVALID);
}

const refusal = errorsOf('map a learner');
const INVALID = { reason: 'invalid' } as const;
