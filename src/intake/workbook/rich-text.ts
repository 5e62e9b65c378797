/** Collects the text of one item: the `t` elements in it, but not those of phonetic runs. */
export interface RichText {
  open(name: string): void;
  text(text: string): void;
  close(name: string): void;
  /** Returns the text so far, and starts anew. */
  take(): string;
}

export function richText(): RichText {
  let collected = '';
  let inText = false;
  let inReading = false;
  return {
    open(name) {
      if (name === 'rPh') inReading = true;
      else if (name === 't') inText = true;
    },
    text(text) {
      if (inText && !inReading) collected += text;
    },
    close(name) {
      if (name === 'rPh') inReading = false;
      else if (name === 't') inText = false;
    },
    take() {
      const text = unescapeText(collected);
      collected = '';
      return text;
    },
  };
}

/**
 * Undoes `_x000D_`, the way workbooks write characters that XML can't hold. An escape that names no character (NUL,
 * half of a pair) stays as it is.
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (match, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? match : String.fromCharCode(code);
  });
}
