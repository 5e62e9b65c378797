import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';
import { type Cell, cellText, isBlankCell } from '../../domain/row.js';
import { ABSENT, type Reading, refuseFor } from './reading.js';
import { trimText } from './trim-text.js';

/**
 * What a status means for delivery. `exempt`: nothing was completed and nothing is owed, or something else was completed
 * instead; a policy decides.
 */
export type StatusMeaning = (typeof MEANINGS)[number];

const MEANINGS = ['completed', 'not-completed', 'exempt'] as const;

/** What the words of one source mean, keyed by `statusKey`. */
export type StatusVocabulary = Pick<ReadonlyMap<string, StatusMeaning>, 'get'>;

/** A status word in the form that is compared: NFKC, lower case, single spaces for dashes and underscores. */
export function statusKey(text: string): string {
  return trimText(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s_–—-]+/g, ' '),
  );
}

/** The words that vendors' exports use. A source's own words come on top. */
const vendorWords = once(
  () =>
    new Map(
      MEANINGS.flatMap((meaning) =>
        words(`status.${meaning}`).map((word) => [statusKey(word), meaning] as const),
      ),
    ),
);

/** The key of a cell that holds a word of vendors' exports; null for any other cell. */
export function statusWordIn(cell: Cell): string | null {
  const key = statusKey(cellText(cell));
  return vendorWords().has(key) ? key : null;
}

/** The vendors' words with a source's own on top; a source's word overrides the vendors'. */
export function statusVocabulary(own: {
  readonly completed: readonly string[];
  readonly notCompleted: readonly string[];
}): StatusVocabulary {
  const ownWords = new Map<string, StatusMeaning>([
    ...own.completed.map((word) => [statusKey(word), 'completed'] as const),
    ...own.notCompleted.map((word) => [statusKey(word), 'not-completed'] as const),
  ]);
  return { get: (key) => ownWords.get(key) ?? vendorWords().get(key) };
}

/** An unexplained word is an issue: taking it for completed would invent a completion, for the contrary lose one. */
export function readStatus(
  cell: Cell | undefined,
  context: { readonly column: string; readonly vocabulary: StatusVocabulary },
): Reading<StatusMeaning> {
  if (isBlankCell(cell)) return ABSENT;
  const meaning = typeof cell === 'object' ? undefined : context.vocabulary.get(statusKey(String(cell)));
  if (meaning !== undefined) return { value: meaning };
  return refuseFor('status-unknown', context.column, cell, { word: JSON.stringify(cellText(cell)) });
}
