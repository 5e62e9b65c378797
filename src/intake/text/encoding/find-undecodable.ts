import type { OperatorError } from '../../../domain/operator-error.js';
import { readBytes } from '../../read-bytes.js';
import { unreadable } from '../../unreadable.js';
import { lineCounter } from '../line-counter.js';

/**
 * The refusal for a file that is not text in this encoding, naming the first character at fault. Reads the file again:
 * a decoder that failed no longer knows where it was.
 */
export async function findUndecodable(path: string, encoding: string): Promise<OperatorError> {
  const { line, column } = await placeOfUndecodable(path, encoding);
  return unreadable(
    path,
    `line ${line}, column ${column} is not text in ${encoding}`,
    'Correct encoding: of the source, or export the file as UTF-8.',
  );
}

/** The place of the first character that can't be decoded, from 1. */
export async function placeOfUndecodable(
  path: string,
  encoding: string,
): Promise<{ line: number; column: number }> {
  const decoder = new TextDecoder(encoding);
  const counter = lineCounter();
  for await (const chunk of readBytes(path)) {
    const text = decoder.decode(chunk, { stream: true });
    const fault = text.indexOf('\ufffd');
    counter.add(fault < 0 ? text : text.slice(0, fault));
    if (fault >= 0) break;
  }
  return { line: counter.line(), column: counter.column() };
}
