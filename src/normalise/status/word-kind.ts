import type { SourceConfig } from '../../config/schema.js';
import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';
import { normaliseHeader } from '../header/header-text.js';
import { statusKey, statusVocabulary } from '../values/status.js';
import { expressionOf, hasWordOf, wordSet } from '../values/word-pattern.js';

/** What a word says about its row's learner. Loosely: only where it stands among other words of a status. */
export type WordKind =
  | 'completed'
  | 'against'
  | 'loosely completed'
  | 'loosely against'
  | 'yes'
  | 'no'
  | 'mark'
  | 'unknown';

/** The function that returns the kind of a word, by the vocabulary and by the source's own words. */
export function wordReader(own: SourceConfig['status']): (text: string) => WordKind {
  const vocabulary = statusVocabulary(own);
  const ownWords = new Set([...own.completed, ...own.notCompleted].map(statusKey));
  const meaningOf = (key: string): WordKind => {
    const meaning = vocabulary.get(key);
    if (meaning === undefined) return 'unknown';
    const counts = meaning === 'completed' || (meaning !== 'not-completed' && own[meaning] === 'completed');
    if (!ownWords.has(key) && uncertainWords().has(key))
      return counts ? 'loosely completed' : 'loosely against';
    return counts ? 'completed' : 'against';
  };
  return (text) => {
    const key = statusKey(text);
    if (yesWords().has(key)) return 'yes';
    if (noWords().has(key) || CROSSED_OUT.has(key)) return 'no';
    if (MARKS.has(key)) return 'mark';
    const kind = meaningOf(key);
    // "Failed (2nd attempt)", "Failed!"
    const bare = withoutRemark(key);
    return kind === 'unknown' && !yesWords().has(bare) && !noWords().has(bare) ? meaningOf(bare) : kind;
  };
}

function withoutRemark(key: string): string {
  const bracket = key.indexOf('(');
  if (bracket >= 0 && key.endsWith(')')) return key.slice(0, bracket).replace(/ $/, '');
  return key.replace(/(?<![.!*])[.!*]+$/, '').replace(/ $/, '');
}

const yesWords = wordSet('status.yes');
const noWords = wordSet('status.no');
const CROSSED_OUT = new Set(['✗', '✘', '☐', '❌']);
const MARKS = new Set(['x', '×', '✓', '✔', '✔️', '☑', '✅', '●']);

/** Said of requests, accounts, payments and certificates as often as of learning. */
const uncertainWords = wordSet('status.uncertain');

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
