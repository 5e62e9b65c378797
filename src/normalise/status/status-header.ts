import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';
import { normaliseHeader } from '../header/header-text.js';
import { expressionOf, hasWordOf } from '../values/word-pattern.js';

/**
 * The meaning of a header over a column of words. `completing`: who has passed, attended, finished. `failing`: the contrary, so
 * that yes is bad. `status`: a state or an outcome. `other`: plainly something else, such as an approval. null: none of these.
 */
export type StatusHeader = 'completing' | 'failing' | 'status' | 'other' | null;

/** Judges a header by its words, in the languages of exports. It is a hint: the column's values decide. */
export function statusHeader(header: string): StatusHeader {
  const { text } = normaliseHeader(header);
  if (isOther(text)) return 'other';
  if (isFailing(text) || isNotCompleting().test(text)) return 'failing';
  if (isCompleting(text)) return 'completing';
  return isStatus(text) ? 'status' : null;
}

/** Of people, contracts, money and rules: "Approval status", "Employment status", "Enrolment type", "Mandatory". */
const isOther = hasWordOf('status-headers.other');
const isFailing = hasWordOf('status-headers.failing');
const isCompleting = hasWordOf('status-headers.completing');
const isStatus = hasWordOf('status-headers.status');

/** "Not passed", "nicht ganz bestanden". */
const isNotCompleting = once(() => {
  const oneOf = (list: string) => `(?:${words(list).map(expressionOf).join('|')})`;
  const not = oneOf('status-headers.not');
  return new RegExp(`(?<!\\p{L})${not} (?:\\p{L}+ )?${oneOf('status-headers.completing')}`, 'u');
});
