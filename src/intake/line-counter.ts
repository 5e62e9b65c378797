import { readBytes } from './read-bytes.js';

/** Counts physical lines: LF, CRLF and a lone CR each end one, also when a chunk ends between CR and LF. */
export interface LineCounter {
  /** The line that the next character would be on, from 1. */
  line(): number;
  add(text: string): void;
}

export function lineCounter(): LineCounter {
  let line = 1;
  let endedWithCr = false;
  return {
    line: () => line,
    add(text) {
      if (text === '') return;
      line += countLineEnds(text) - (endedWithCr && text.startsWith('\n') ? 1 : 0);
      endedWithCr = text.endsWith('\r');
    },
  };
}

/** Line ends within a text that is whole. */
export function countLineEnds(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** The line of a byte, from 1, in a file whose encoding has LF and CR as single bytes. */
export async function lineAtOffset(path: string, offset: number): Promise<number> {
  const counter = lineCounter();
  let left = offset;
  for await (const chunk of readBytes(path)) {
    counter.add(chunk.toString('latin1', 0, Math.min(left, chunk.length)));
    left -= chunk.length;
    if (left <= 0) break;
  }
  return counter.line();
}
