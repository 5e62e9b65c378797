import type { Cell } from '../../domain/row.js';
import { isTrue, type XmlAttributes } from './xml/xml-scanner.js';

/** Collects the text of one item: the `t` elements in it, but not those of phonetic runs. */
export interface RichText {
  open(name: string, attributes: XmlAttributes): void;
  text(text: string): void;
  close(name: string): void;
  /** Returns the text so far, or a cell with its struck-through parts marked, and starts over. */
  take(): Cell;
}

export function richText(): RichText {
  let collected = '';
  /** null until something is struck through; then the text up to `marked.upTo` with what is struck between ~~. */
  let marked: { text: string; upTo: number } | null = null;
  let runStart = 0;
  let isRunStruck = false;
  let inText = false;
  let inReading = false;

  function closeRun(): void {
    const run = collected.slice(runStart);
    if (!isRunStruck || run.trim() === '') return;
    const before = collected.slice(marked?.upTo ?? 0, runStart);
    marked = { text: `${marked?.text ?? ''}${before}~~${run}~~`, upTo: collected.length };
  }

  return {
    open(name, attributes) {
      if (name === 'rPh') inReading = true;
      else if (name === 't') inText = true;
      else if (name === 'r') {
        runStart = collected.length;
        isRunStruck = false;
      } else if (isStrike(name, attributes)) isRunStruck = true;
    },
    text(text) {
      if (inText && !inReading) collected += text;
    },
    close(name) {
      if (name === 'rPh') inReading = false;
      else if (name === 't') inText = false;
      else if (name === 'r') closeRun();
    },
    take() {
      const text = unescapeText(collected);
      const struck = marked === null ? null : marked.text + collected.slice(marked.upTo);
      collected = '';
      marked = null;
      // Runs that follow each other are one piece to a reader.
      return struck === null ? text : { error: text, struck: unescapeText(struck.replaceAll('~~~~', '')) };
    },
  };
}

/** True for the element of a font that strikes its text through. */
export function isStrike(name: string, attributes: XmlAttributes): boolean {
  return name === 'strike' && isTrue(attributes.get('val') ?? 'true');
}

/**
 * Undoes `_x000D_`, the way workbooks write characters that XML can't hold. An escape that names no character (NUL, half of a
 * pair) stays unchanged.
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (match, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? match : String.fromCharCode(code);
  });
}
