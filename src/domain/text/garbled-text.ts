/**
 * How an identifier was garbled before it reached the file, as the end of a sentence; null: it wasn't. Certain enough are U+FFFD,
 * and a text that as a whole is UTF-8 read as Windows-1252 (`EinfÃ¼hrung`) with likely letters as its result.
 */
export function garbling(text: string): string | null {
  if (!NOT_ASCII.test(text)) return null;
  if (text.includes('\ufffd')) {
    return 'has a letter that was lost when the file was written or converted: it became �';
  }
  const original = decodedAgain(text);
  return original === null ? null : `is UTF-8 read in another encoding, probably of "${original}"`;
}

export const EXPORT_AS_UTF8 = 'correct it where the file comes from, or export the file again as UTF-8';

const NOT_ASCII = /[^\0-\x7f]/;

/** Maybe read wrongly several times; null: it wasn't. */
function decodedAgain(text: string): string | null {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const byte = code < 0x100 ? code : BYTE_OF.get(code);
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  try {
    const decoded = UTF8.decode(bytes);
    return decodedAgain(decoded) ?? (LIKELY.test(decoded) ? decoded : null);
  } catch {
    return null;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of the characters that Windows-1252 has beyond Latin-1, from 0x80; five bytes have none. */
const BYTE_OF: ReadonlyMap<number, number> = new Map(
  [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'].map((letter, index) => [
    letter.charCodeAt(0),
    0x80 + index,
  ]),
);

/**
 * Letters of Europe and the Near East, Vietnamese, typographic characters, ligatures, a byte-order mark, emoji;
 * letters of India and East Asia at least two together. Sound texts give other letters: `CAFÉ™`, `Spaß…`, `là –`.
 */
const LIKELY =
  /^(?:[\0-\x7f\u00a0-\u017f\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0380-\u047f\u05c0-\u067f\u1e00-\u27ff\ufb00-\ufb04\ufeff\u{1f000}-\u{1faff}]|[\u0900-\u1dff\u3000-\ud7ff]{2,})*$/u;
