import { isAttentionName } from '../../domain/files/attention-columns.js';

/** Braces multiply; more alternatives than this are a slip, not a pattern. */
const MAX_ALTERNATIVES = 64;

/** The end of a sentence; null: nothing is wrong. */
export function globMistake(pattern: string): string | null {
  if (pattern === '') return 'is empty; write a pattern such as *.csv';
  if (/[/\\]/.test(pattern)) return 'must name files without their folder';
  if (/[[\]!()]/.test(pattern)) return 'has a character that is not known in patterns: use *, ? and {a,b}';
  const alternatives = expandBraces(pattern);
  if (alternatives === null) return 'has a brace that does not pair; write {a,b}, not nested';
  if (alternatives.length > MAX_ALTERNATIVES) return `expands to more than ${MAX_ALTERNATIVES} patterns`;
  return null;
}

/** Whether a file name matches a sound pattern, whatever its case; composed and decomposed letters are the same. */
export function globMatcher(pattern: string): (name: string) => boolean {
  const alternatives = (expandBraces(pattern) ?? []).map(letters);
  return (name) => {
    const wanted = letters(name);
    return alternatives.some((alternative) => matches(alternative, wanted));
  };
}

/** Whether a source takes a file: by its pattern `match`, or because its name is that of a correction file. */
export function fileNameMatcher(match: string): (name: string) => boolean {
  const matches = globMatcher(match);
  return (name) => matches(name) || isAttentionName(name);
}

function letters(text: string): readonly string[] {
  return [...text.normalize('NFC').toLowerCase()];
}

/** null when braces don't pair or are nested. Stops multiplying once there are too many. */
function expandBraces(pattern: string): string[] | null {
  let alternatives = [''];
  for (const part of pattern.split(/(\{[^{}]*\})/)) {
    const group = /^\{(.*)\}$/s.exec(part);
    if (!group && /[{}]/.test(part)) return null;
    const choices = group ? (group[1] ?? '').split(',') : [part];
    alternatives = alternatives.flatMap((start) => choices.map((choice) => start + choice));
    if (alternatives.length > MAX_ALTERNATIVES) break;
  }
  return alternatives;
}

/** On a mismatch only the latest star takes one more letter, so the time is bounded by the product of both lengths. */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < name.length; ) {
    const letter = pattern[at];
    if (letter === '*') {
      star = at;
      resume = index;
      at += 1;
    } else if (letter !== undefined && (letter === '?' || letter === name[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      resume += 1;
      index = resume;
      at = star + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((letter) => letter === '*');
}
