import { LANGUAGES } from '../../config/words/languages.js';
import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';

/** The month (1-12) that a word names; null for a word that names none, or not the same one in all languages. */
export type MonthNames = (word: string) => number | null;

/** The month names of some languages, written out or abbreviated, with or without accents, in any case. */
export function monthNames(languages: readonly string[] = LANGUAGES): MonthNames {
  const known = NAMES.get(languages);
  if (known) return known;
  const months = once(() => monthsOf(languages));
  const names: MonthNames = (word) => months().get(foldWord(word)) ?? null;
  NAMES.set(languages, names);
  return names;
}

/** A source's languages are the same list for each of its files. */
const NAMES = new WeakMap<readonly string[], MonthNames>();

function monthsOf(languages: readonly string[]): ReadonlyMap<string, number | null> {
  const months = new Map<string, number | null>();
  for (const language of languages) {
    for (const [index, names] of words('dates.months', language).entries()) {
      for (const name of names.split(' ').map(foldWord)) {
        const known = months.get(name);
        months.set(name, known === undefined || known === index + 1 ? index + 1 : null);
      }
    }
  }
  return months;
}

/** True for the name of a day of the week, written out or abbreviated, in any of the languages known. */
export function isWeekday(word: string): boolean {
  return weekdays().has(foldWord(word));
}

const weekdays = once(
  () => new Set(words('dates.weekdays').flatMap((names) => names.split(' ').map(foldWord))),
);

function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
