/** Bytes that Windows-1252 leaves without a character. */
export const UNDEFINED_IN_WINDOWS_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d] as const;

/**
 * Text in Windows-1252 (also declared as iso-8859-1 or latin1, which the WHATWG registry reads the same way). The
 * undefined bytes become the control characters of that registry.
 */
export function decodeWindows1252(bytes: Buffer): string {
  // Several Node 20 and 22 releases read 0x80-0x9f as Latin-1 in TextDecoder('windows-1252'): “ and € are lost.
  return bytes.toString('latin1').replace(SPECIAL, (char) => HIGH[char.charCodeAt(0) - 0x80] as string);
}

const SPECIAL = /[\u0080-\u009f]/g;

/** The characters of 0x80 to 0x9f. */
const HIGH = [
  ...'\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f',
  ...'\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178',
];
