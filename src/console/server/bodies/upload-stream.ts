import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Clock } from '../../../domain/clock.js';

/** How much patience a console has with those who send files. */
export interface UploadLimits {
  /** Whoever sends less than so many bytes in so long is stopped. */
  readonly leastBytes: number;
  readonly perMs: number;
  readonly mostAtOnce: number;
}

/** A line of 5 kbit/s is slower than any that people use; a connection on which nothing moves is ended after 30 seconds anyway. */
export const USUAL_LIMITS: UploadLimits = { leastBytes: 16_384, perMs: 25_000, mostAtOnce: 4 };

/** Why an upload was stopped. */
export type StopReason = 'too-large' | 'too-slow' | 'gone' | 'broken';

/** An upload that was stopped before its end; nothing of it is kept. */
export class UploadStopped extends Error {
  override readonly name = 'UploadStopped';
  constructor(readonly reason: StopReason) {
    super(`the upload was stopped: ${reason}`);
  }
}

/** A form with a file, up to where the file begins. */
export interface SentForm {
  /** Those that stand before the file. */
  readonly fields: ReadonlyMap<string, string>;
  /** null: the form has no file. */
  readonly file: { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> } | null;
  /** Aborted where the sender is too slow or gone. */
  readonly signal: AbortSignal;
  /** Resolves once the form has ended as a form should; throws UploadStopped where it hasn't. */
  ended(): Promise<void>;
  /** To be called in any case: from then on what still comes is nobody's. */
  leave(): void;
}

interface BegunFile extends NonNullable<SentForm['file']> {
  readonly before: ReadonlyMap<string, string>;
}

/** All of a form but its file: its fields, and what is between the parts. */
export const FORM_BYTES = 100_000;

/** A token, a source's name and a little more. */
const FORM_LIMITS = { fields: 10, fieldSize: 2_000, files: 1, parts: 12, headerPairs: 20, headerSize: 8_000 };

/**
 * Reads a form up to its file, which is then read as it comes. Throws UploadStopped where the form is none or its sender goes away.
 * @param mostBytes of the file.
 */
export async function readSentForm(
  incoming: IncomingMessage,
  clock: Clock,
  { mostBytes, leastBytes, perMs }: { readonly mostBytes: number } & Omit<UploadLimits, 'mostAtOnce'>,
): Promise<SentForm> {
  const over = new AbortController();
  const stop = (reason: StopReason) => over.abort(new UploadStopped(reason));
  const parser = parserOf(incoming);
  const fields = new Map<string, string>();
  let isFileBegun = false;
  let bytes = 0;
  const finished = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', () => stop('broken'));
    over.signal.addEventListener('abort', () => reject(over.signal.reason), { once: true });
  });
  // It may fail long before anybody waits for it.
  finished.catch(() => {});
  const begun = new Promise<BegunFile | null>((resolve) => {
    parser.on('field', (name, value) => void fields.set(name, value));
    parser.on('file', (field, stream, name) => {
      isFileBegun = true;
      stream.on('error', () => stop('broken'));
      if (field !== 'file') return void stream.resume();
      // Whoever reads it would wait for ever for what doesn't come any more.
      over.signal.addEventListener('abort', () => void stream.destroy(), { once: true });
      resolve({ name: name ?? '', before: new Map(fields), chunks: upTo(stream, mostBytes, stop) });
    });
    finished.then(
      () => resolve(null),
      () => resolve(null),
    );
  });
  const onClose = () => {
    if (!incoming.complete) stop('gone');
  };
  incoming.on('close', onClose);
  incoming.pipe(parser);
  // The parser reads on for ever in what is no part, and in a field that is too long.
  const onData = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > FORM_BYTES + (isFileBegun ? mostBytes : 0)) stop('too-large');
  };
  incoming.on('data', onData);
  void watchPace(incoming, clock, { leastBytes, perMs }, over.signal, () => stop('too-slow'));
  const file = await begun;
  const form: SentForm = {
    // The parser may have gone on by now: what stands behind the file comes too late.
    fields: file?.before ?? fields,
    file,
    signal: over.signal,
    ended: () => finished,
    leave() {
      incoming.off('close', onClose);
      incoming.off('data', onData);
      incoming.unpipe(parser);
      // Ends the watch.
      stop('gone');
    },
  };
  if (!over.signal.aborted) return form;
  const { reason } = over.signal;
  form.leave();
  throw reason;
}

function parserOf(incoming: IncomingMessage) {
  try {
    // The name as it was sent: it is judged later, and never a path.
    return new Busboy({
      headers: incoming.headers as BusboyHeaders,
      preservePath: true,
      limits: FORM_LIMITS,
    });
  } catch {
    throw new UploadStopped('broken');
  }
}

/** Stops what is larger. */
export async function* upTo(
  stream: Readable,
  mostBytes: number,
  stop: (reason: StopReason) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) stop('too-large');
    yield chunk;
  }
}

/** Watches how fast a request comes, until it is over. */
export async function watchPace(
  { socket }: IncomingMessage,
  clock: Clock,
  { leastBytes, perMs }: Pick<UploadLimits, 'leastBytes' | 'perMs'>,
  over: AbortSignal,
  onSlow: () => void,
): Promise<void> {
  let before = socket.bytesRead;
  while (!over.aborted) {
    await clock.sleep(perMs, over);
    if (!over.aborted && socket.bytesRead - before < leastBytes) onSlow();
    before = socket.bytesRead;
  }
}
