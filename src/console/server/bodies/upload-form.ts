import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { type Reception, upTo } from './reception.js';

export interface UploadForm {
  readonly fields: ReadonlyMap<string, string>;
  /** null: the form has no file. */
  readonly file: { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> } | null;
  /** Resolves once the form has ended as a form should; throws the reason of the reception's signal where it hasn't. */
  ended(): Promise<void>;
}

/** All of a form but its file: its fields, and what is between the parts. */
export const FORM_BYTES = 100_000;

/** A token, a source's name and a little more. */
const FORM_LIMITS = { fields: 10, fieldSize: 2_000, files: 1, parts: 12, headerPairs: 20, headerSize: 8_000 };

/** Reads a form up to its file, which is then read as it comes. Throws the reason of the signal where the form is none or its sender goes away. */
export async function readUploadForm(incoming: IncomingMessage, reception: Reception): Promise<UploadForm> {
  const { mostBytes, signal, stop } = reception;
  const parser = parserOf(incoming, reception);
  const fields = new Map<string, string>();
  let isFileBegun = false;
  let bytes = 0;
  const finished = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', () => stop(400));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // It may fail long before it is awaited.
  finished.catch(() => {});
  const begun = new Promise<UploadForm | null>((resolve) => {
    parser.on('field', (name, value) => void fields.set(name, value));
    parser.on('file', (field, stream, name) => {
      isFileBegun = true;
      stream.on('error', () => stop(400));
      if (field !== 'file') return void stream.resume();
      // Its reader would wait for ever otherwise.
      signal.addEventListener('abort', () => void stream.destroy(), { once: true });
      // The parser goes on: fields after the file come too late.
      const file = { name: name ?? '', chunks: upTo(stream, reception) };
      resolve({ fields: new Map(fields), file, ended: () => finished });
    });
    finished.then(
      () => resolve(null),
      () => resolve(null),
    );
  });
  // The parser reads on for ever in what is no part, and in a field that is too long.
  const onData = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > FORM_BYTES + (isFileBegun ? mostBytes : 0)) stop(413);
  };
  incoming.pipe(parser);
  incoming.on('data', onData);
  signal.addEventListener('abort', () => void incoming.off('data', onData).unpipe(parser), { once: true });
  const form = await begun;
  signal.throwIfAborted();
  return form ?? { fields, file: null, ended: () => finished };
}

function parserOf(incoming: IncomingMessage, { signal, stop }: Reception) {
  try {
    // The name as it was sent: it is judged later, and never a path.
    return new Busboy({
      headers: incoming.headers as BusboyHeaders,
      preservePath: true,
      limits: FORM_LIMITS,
    });
  } catch {
    stop(400);
    throw signal.reason;
  }
}
