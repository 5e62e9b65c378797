/** In UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a text mentions any of the given ones, whatever their case and blanks; overlapping mentions are one. A
 * mention beside a letter or digit doesn't count, unless `place` is `any`. Of a long text, or at an ellipsis, the
 * beginning counts as well. It builds no pattern, which could be too large or too slow: the texts are cells and
 * answers of any length.
 */
export function mentionsIn(
  text: string,
  wanted: readonly string[],
  place: 'words' | 'any' = 'words',
): readonly Span[] {
  const { letters, places } = foldText(text);
  const mentions = new Set(wanted.map((mention) => foldedMention(mention, text.length)));
  mentions.delete('');
  const spans = [...mentions].flatMap((mention) => [
    ...occurrences(letters, mention, place === 'words' ? isInWord : () => false),
    ...beginningAtEnd(letters, mention),
  ]);
  return united(
    spans.map(({ start, end }) => ({
      start: places[start] ?? 0,
      // The rest of a cut word is part of the mention, and so is its ellipsis.
      end: letters.slice(end) === ELLIPSIS ? text.length : (places[end] ?? text.length),
    })),
  );
}

/** Where the part before the @ can't be a plain word (`ann.lee`, `alee42`), it is another name of the person. */
export function alsoKnownAs(address: string): readonly string[] {
  const local = address.slice(0, Math.max(0, address.indexOf('@')));
  return local.length >= SHORTEST_NAME && /\p{L}/u.test(local) && /[\d._-]/.test(local) ? [local] : [];
}

const SHORTEST_NAME = 5;

export function replaceSpans(
  text: string,
  spans: readonly Span[],
  change: (piece: string) => string,
): string {
  let replaced = '';
  let from = 0;
  for (const { start, end } of spans) {
    replaced += text.slice(from, start) + change(text.slice(start, end));
    from = end;
  }
  return replaced + text.slice(from);
}

/** In one case, each run of blanks as one, and for each letter its place in the original. */
function foldText(text: string): { readonly letters: string; readonly places: readonly number[] } {
  let letters = '';
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const folded = fold(character);
    if (folded !== ' ' || !letters.endsWith(' ')) {
      letters += folded;
      for (let unit = 0; unit < folded.length; unit++) places.push(at);
    }
    at += character.length;
  }
  return { letters, places };
}

function foldedMention(mention: string, length: number): string {
  return foldText(mention.trim().slice(0, Math.max(length, FOUND_BY) + 1)).letters;
}

/** Upper case first: it unites letters that lower case keeps apart, such as the two sigmas. */
function fold(character: string): string {
  return /^\s$/.test(character) ? ' ' : character.toUpperCase().toLowerCase();
}

/** Letters of a mention that are enough to find it. */
const FOUND_BY = 64;

function occurrences(
  letters: string,
  mention: string,
  isOther: (letters: string, at: number, side: 'before' | 'behind') => boolean,
): Span[] {
  const beginning = mention.slice(0, FOUND_BY);
  const spans: Span[] = [];
  for (let start = letters.indexOf(beginning); start >= 0; ) {
    const length = isOther(letters, start, 'before') ? 0 : agreeing(letters, start, mention);
    const end = start + length;
    const isWhole = length === mention.length && length < FOUND_BY;
    const isFound = length > 0 && !(isWhole && isOther(letters, end, 'behind'));
    if (isFound) spans.push({ start, end });
    start = letters.indexOf(beginning, isFound ? end : start + 1);
  }
  return spans;
}

function agreeing(letters: string, start: number, mention: string): number {
  let length = Math.min(mention.length, FOUND_BY);
  while (length < mention.length && letters[start + length] === mention[length]) length++;
  return length;
}

function beginningAtEnd(letters: string, mention: string): Span[] {
  if (!letters.endsWith(ELLIPSIS)) return [];
  const end = letters.length - ELLIPSIS.length;
  for (let length = Math.min(mention.length, FOUND_BY, end); length > 0; length--) {
    const start = end - length;
    if (letters.startsWith(mention.slice(0, length), start) && !isInWord(letters, start, 'before')) {
      return [{ start, end }];
    }
  }
  return [];
}

const ELLIPSIS = '…';

function isInWord(letters: string, at: number, side: 'before' | 'behind'): boolean {
  // A letter has two units at most.
  if (side === 'behind') return /^[\p{L}\p{N}]/u.test(letters.slice(at, at + 2));
  return /[\p{L}\p{N}]$/u.test(letters.slice(Math.max(0, at - 2), at));
}

/** The spans in the order of the text, overlapping ones as one. */
function united(spans: readonly Span[]): readonly Span[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return merged;
}
