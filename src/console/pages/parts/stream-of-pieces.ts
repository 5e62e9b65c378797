import { Readable } from 'node:stream';

/** The body of an answer: read no faster than the client takes it, and left when the client goes away. */
export function streamOfPieces(pieces: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(pieces, { objectMode: false })) as ReadableStream<Uint8Array>;
}
