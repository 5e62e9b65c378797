/**
 * Text whose every character shows: controls become their pictures (␀, ␊), and characters that are not seen, turn the
 * line around or are none at all become their numbers ([U+202E]). What joins letters (U+200C, U+200D) stays.
 */
export function visibleText(text: string): string {
  // Nearly every text has none of them.
  return HIDDEN.test(text) ? text.replace(ALL_HIDDEN, shown) : text;
}

/**
 * Controls, formats (marks of direction, soft hyphens, what has no width), lone surrogates, line separators, what is no
 * character, and letters that are blank.
 */
const HIDDEN =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]|\u115f|\u1160|\u3164|\uffa0/u;

const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');

/** Pictures of the controls begin here, in the controls' order. */
const CONTROL_PICTURES = 0x2400;

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  if (code === 0x7f) return '␡';
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
