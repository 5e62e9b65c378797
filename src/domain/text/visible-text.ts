import { mapStrings } from './map-strings.js';

/**
 * A text from outside on one line: what a terminal, page, log or report might execute or hide is escaped as in JSON
 * (`\n`, `\u001b`). Characters that join letters (U+200C, U+200D) stay.
 */
export function visibleText(text: string): string {
  // Nearly every text has none of them.
  return UNUSUAL.test(text) && HIDDEN.test(text) ? text.replace(ALL_HIDDEN, escaped) : text;
}

/** `visibleText` for a text of our own with several lines, whose line ends stay. A JSON document keeps its meaning. */
export function visibleLines(text: string): string {
  return UNUSUAL_IN_LINE.test(text) && HIDDEN_IN_LINE.test(text)
    ? text.replace(ALL_HIDDEN_IN_LINE, escaped)
    : text;
}

/** Found in a tenth of the time: nearly every text lacks them, and the letters beyond ASCII. */
const UNUSUAL = /[^ -~]/;
const UNUSUAL_IN_LINE = /[^\n -~]/;

/** Controls, formats, lone surrogates, line separators, noncharacters, and letters that look blank. */
const HIDDEN =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]|\u115f|\u1160|\u3164|\uffa0/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');

const HIDDEN_IN_LINE = new RegExp(`(?!\n)(?:${HIDDEN.source})`, 'u');
const ALL_HIDDEN_IN_LINE = new RegExp(HIDDEN_IN_LINE, 'gu');

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return SHORT[character] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** @param severalLines names of members whose texts keep their line ends, since their lines are shown indented. */
export function visibleStrings<T>(shown: T, severalLines: readonly string[] = []): T {
  return mapStrings(shown, (text, member) =>
    severalLines.includes(member) ? visibleLines(text) : visibleText(text),
  );
}
