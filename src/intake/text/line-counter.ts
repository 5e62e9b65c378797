import type { OperatorError } from '../../domain/operator-error.js';
import { readBytes } from '../read-bytes.js';
import { unreadable } from '../unreadable.js';

/**
 * Counts physical lines: LF, CRLF and a lone CR each end one, also when a chunk ends between CR and LF. `line` and `column` are
 * those of the next character, from 1.
 */
export function lineCounter() {
  let line = 1;
  let column = 1;
  let endedWithCr = false;
  return {
    line: () => line,
    column: () => column,
    add(text: string): void {
      if (text === '') return;
      const begin = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
      column = (begin === 0 ? column : 1) + text.length - begin;
      line += countLineEnds(text) - (endedWithCr && text.startsWith('\n') ? 1 : 0);
      endedWithCr = text.endsWith('\r');
    },
  };
}

/** Line ends within a text that is whole. */
export function countLineEnds(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** The line and column of a byte, from 1, in a file whose encoding has a byte for each character. */
export async function placeAtOffset(path: string, offset: number) {
  const counter = lineCounter();
  let remaining = offset;
  for await (const chunk of readBytes(path)) {
    counter.add(chunk.toString('latin1', 0, Math.min(remaining, chunk.length)));
    remaining -= chunk.length;
    if (remaining <= 0) break;
  }
  return { line: counter.line(), column: counter.column() };
}

/** The refusal for a file that is not text in this encoding. Reads it again: a decoder that failed doesn't know where it was. */
export async function findUndecodable(path: string, encoding: string): Promise<OperatorError> {
  return unreadable(path, 'undecodable', { ...(await placeOfUndecodable(path, encoding)), encoding });
}

/** The place of the first character that can't be decoded or is NUL, from 1. */
export async function placeOfUndecodable(path: string, encoding: string) {
  const decoder = new TextDecoder(encoding);
  const counter = lineCounter();
  for await (const chunk of readBytes(path)) {
    const text = decoder.decode(chunk, { stream: true });
    const fault = text.search(/[\0\ufffd]/);
    counter.add(fault < 0 ? text : text.slice(0, fault));
    if (fault >= 0) break;
  }
  return { line: counter.line(), column: counter.column() };
}
