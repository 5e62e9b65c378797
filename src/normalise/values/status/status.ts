import { type Cell, cellText, isBlankCell } from '../../../domain/row.js';
import { ABSENT, type Reading, refuse } from '../reading.js';
import type { StatusMeaning } from './status-meaning.js';
import { STATUS_WORDS, statusKey } from './status-words.js';

/** What the words of one source mean, keyed by `statusKey`. */
export type StatusVocabulary = ReadonlyMap<string, StatusMeaning>;

/** The vendors' words with a source's own on top; a source's word overrides the vendors'. */
export function statusVocabulary(own: {
  readonly completed: readonly string[];
  readonly notCompleted: readonly string[];
}): StatusVocabulary {
  const known = VOCABULARIES.get(own);
  if (known) return known;
  const vocabulary: StatusVocabulary = new Map([
    ...STATUS_WORDS,
    ...own.completed.map((word) => [statusKey(word), 'completed'] as const),
    ...own.notCompleted.map((word) => [statusKey(word), 'not-completed'] as const),
  ]);
  VOCABULARIES.set(own, vocabulary);
  return vocabulary;
}

/** A source has the same settings for each of its files. */
const VOCABULARIES = new WeakMap<object, StatusVocabulary>();

/**
 * The meaning of a status cell. An empty cell is absent; an unexplained word is an issue, because taking it for completed would
 * invent a completion, and taking it for the contrary would lose one.
 */
export function readStatus(
  cell: Cell | undefined,
  context: { readonly column: string; readonly vocabulary: StatusVocabulary },
): Reading<StatusMeaning> {
  if (isBlankCell(cell)) return ABSENT;
  const meaning = isWord(cell) ? context.vocabulary.get(statusKey(String(cell))) : undefined;
  if (meaning !== undefined) return { value: meaning };
  const word = cellText(cell);
  return refuse(
    'status-unknown',
    context.column,
    cell,
    'is a status whose meaning is not known',
    `say what it means: status: { completed: [${JSON.stringify(word)}] } or { notCompleted: [${JSON.stringify(word)}] } for the source in registrar.yaml`,
  );
}

function isWord(cell: Cell | undefined): cell is string | number | boolean {
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean';
}
