import { mentionsIn, replaceSpans } from '../../domain/text/text-mentions.js';
import { visibleText } from '../../domain/text/visible-text.js';

/**
 * The platform's words without the person, on one line: the given values, wherever they stand, and every e-mail address
 * become an ellipsis. Fit for logs and for what causes are grouped by.
 */
export function impersonal(said: string, personal: readonly string[]): string {
  const isShort = (value: string) => value.trim().length < SHORTEST_ANYWHERE;
  const short = mentionsIn(said, personal.filter(isShort));
  const withoutShort = replaceSpans(said, short, () => '…');
  const long = mentionsIn(
    withoutShort,
    personal.filter((value) => !isShort(value)),
    'any',
  );
  const without = replaceSpans(withoutShort, long, () => '…');
  const words = without.replace(WORD, (word) => (word.indexOf('@') > 0 ? '…' : word));
  return visibleText(words.replace(/\s+/g, ' '));
}

/** A shorter value is part of many a word and number that is nobody's. */
const SHORTEST_ANYWHERE = 4;

/** What ends an address in a sentence. */
const WORD = /[^\s"'<>(),;:]+/g;
