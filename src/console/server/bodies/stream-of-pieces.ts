import { Readable } from 'node:stream';

/** The body of an answer: read no faster than it is taken, and left where whoever takes it goes away. */
export function streamOfPieces(pieces: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(pieces, { objectMode: false })) as ReadableStream<Uint8Array>;
}
