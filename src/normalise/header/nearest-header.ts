import { normaliseHeader } from './header-text.js';

/** The header most similar to the wanted one, for a "did you mean"; null when none is similar enough. */
export function nearestHeader(wanted: string, headers: readonly string[]): string | null {
  const key = normaliseHeader(wanted).text;
  let best: { header: string; distance: number } | null = null;
  for (const header of headers) {
    const text = normaliseHeader(header).text;
    const isPart = text.length >= 3 && (text.includes(key) || key.includes(text));
    const distance = isPart ? 1 : editDistance(key, text);
    if (distance <= Math.max(text.length, key.length) / 2 && (!best || distance < best.distance)) {
      best = { header, distance };
    }
  }
  return best?.header ?? null;
}

/** Longest text compared letter by letter: the effort grows with the square. */
const LONGEST_COMPARED = 60;

/** Letters to insert, remove or replace to get from one text to the other (Levenshtein). */
function editDistance(left: string, right: string): number {
  const a = left.slice(0, LONGEST_COMPARED);
  const b = right.slice(0, LONGEST_COMPARED);
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] as number) + 1, (current[j - 1] as number) + 1));
    }
    previous = current;
  }
  return previous[b.length] as number;
}
