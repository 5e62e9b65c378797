import { mapStrings } from './map-strings.js';

/**
 * A text from outside on one line with every character visible: controls, line ends, marks of direction, invisible characters and
 * noncharacters are written as JSON escapes them (`\n`, `\u001b`). Characters that join letters (U+200C, U+200D) stay. File
 * names, headers, cells and the platform's words pass here on their way to a terminal, a page, a log or a report, none of which
 * may execute them or take their lines for its own.
 */
export function visibleText(text: string): string {
  // Nearly every text has none of them.
  return HIDDEN.test(text) ? text.replace(ALL_HIDDEN, escaped) : text;
}

/** `visibleText` for a text of our own with several lines, whose line ends stay. A JSON document keeps its meaning. */
export function visibleLines(text: string): string {
  return HIDDEN_IN_LINE.test(text) ? text.replace(ALL_HIDDEN_IN_LINE, escaped) : text;
}

/**
 * Controls, formats (marks of direction, soft hyphens, characters without width), lone surrogates, line separators,
 * noncharacters, and letters that look blank.
 */
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

/**
 * A value to be shown to people, with `visibleText` applied to each text in it, so that no text from outside can begin a line
 * of its own. @param severalLines names of members whose texts keep their line ends, since their lines are shown indented.
 */
export function visibleStrings<T>(shown: T, severalLines: readonly string[] = []): T {
  return mapStrings(shown, (text, member) =>
    severalLines.includes(member) ? visibleLines(text) : visibleText(text),
  );
}
