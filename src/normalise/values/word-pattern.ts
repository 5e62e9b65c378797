import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';

/**
 * The expression for a word of the lists: for its beginning, or for all of it where the list has "$" after it. One with "-" before
 * it may be the end of a compound. `<n>` matches a number. Letters are those of any language; Japanese, Chinese and Korean have
 * no spaces to begin at. Made on first use.
 */
export function wordPattern(...lists: readonly string[]): () => RegExp {
  return once(() => {
    const all = lists.flatMap((list) => words(list));
    const within = all.filter((word) => word.startsWith('-')).map((word) => expressionOf(word.slice(1)));
    const beginnings = all.filter((word) => !word.startsWith('-')).map(expressionOf);
    return new RegExp(`${[...within, `${WORD_START}(?:${beginnings.join('|')})`].join('|')}`, 'v');
  });
}

/** True for a text with a word of the lists, as `wordPattern` finds it. */
export function hasWordOf(...lists: readonly string[]): (text: string) => boolean {
  const pattern = wordPattern(...lists);
  return (text) => pattern().test(text);
}

/** The words of lists, for exact comparison. Made on first use. */
export function wordSet(...lists: readonly string[]): () => ReadonlySet<string> {
  return once(() => new Set(lists.flatMap((list) => words(list))));
}

/** A word of a list as a part of an expression. */
export function expressionOf(word: string): string {
  return word
    .replace(/[.*+?^{}()|[\]\\/]/g, '\\$&')
    .replace('<n>', '\\d+')
    .replace(/\$$/, '(?!\\p{L})');
}

const WORD_START = '(?<![\\p{L}--\\p{sc=Han}--\\p{sc=Hiragana}--\\p{sc=Katakana}--\\p{sc=Hangul}])';
