import type { SourceConfig } from '../../config/schema.js';
import { statusKey, statusVocabulary } from '../values/status.js';
import { wordSet } from '../values/word-pattern.js';

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
