import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Context } from 'hono';
import { discardSample } from '../../actions/setup/source.js';
import { discardUpload, receiveSample, receiveUpload } from '../../actions/uploads.js';
import type { Clock } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { Shown } from '../pages/page.js';
import { notForRole, outOfDate, problemOf, problemText } from '../pages/problem.js';
import { hrefOf } from '../visits/visit.js';
import type { ConsoleContext } from '../work/console-context.js';
import { bodyRefusal } from '../work/status-of.js';
import { type Reception, type ReceptionLimits, reception, upTo } from './bodies/reception.js';
import type { AppEnv } from './request.js';
import { isForeign } from './security.js';

export interface UploadParts {
  readonly context: ConsoleContext;
  readonly clock: Clock;
  /** Absent: the usual ones. */
  readonly limits?: ReceptionLimits | undefined;
  isOwnToken(c: Context<AppEnv>, token: string): boolean;
  show(c: Context<AppEnv>, page: Shown): Response | Promise<Response>;
}

type Answer = { readonly to: string } | Shown;

/**
 * Takes a file that an operator sends by a form, as a stream. Before a byte of it is kept, the sender has shown that the form is this
 * server's own; what is too large, too slow or broken off leaves nothing behind.
 */
export function uploadRoute({ context, clock, limits, isOwnToken, show }: UploadParts) {
  const receive = reception(clock, limits);
  const receiveForm = async (c: Context<AppEnv>, received: Reception): Promise<Answer> => {
    const { file, fields, ended } = await readUploadForm(c.env.incoming, received);
    if (!isOwnToken(c, fields.get('token') ?? '')) return outOfDate();
    if (file === null || file.name === '')
      throw bodyRefusal(400, 'no file was chosen', 'Go back, choose a file, and send it again.');
    const { signal } = received;
    // The sample of a source that is to be added, or a file of one that is there.
    const isSample = fields.has('new');
    const source = fields.get(isSample ? 'new' : 'source') ?? '';
    const receive = isSample ? receiveSample : receiveUpload;
    const { id } = await receive(context.actionContext(), { ...file, source, signal });
    try {
      await ended();
    } catch (error) {
      await (isSample ? discardSample : discardUpload)(context.actionContext(), { source, id });
      throw error;
    }
    if (!isSample) return { to: `/files/uploads/${source}/${id}` };
    const query = { operation: fields.get('operation') ?? '', environment: fields.get('environment') ?? '' };
    return { to: hrefOf({ path: `/settings/sources/${source}/new/${id}`, query }) };
  };

  return async (c: Context<AppEnv>): Promise<Response> => {
    const answer = (result: Answer, why?: string) => {
      const isScript = c.req.header('accept') === 'application/json';
      if ('to' in result) return isScript ? c.json(result) : c.redirect(result.to, 303);
      // What still comes of the file belongs to no other request.
      c.header('connection', 'close');
      return isScript ? c.json({ said: why ?? `${result.title}.` }, result.status ?? 400) : show(c, result);
    };
    if (isForeign(c)) return answer(outOfDate());
    if (!c.get('visit').mayAct) return answer(notForRole(['operator']));
    const mostBytes = context.actionContext().config.console.largestUploadBytes;
    try {
      const sizes = { mostBytes, aroundBytes: FORM_BYTES };
      return await answer(await receive(c, sizes, (received) => receiveForm(c, received)));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      return answer(problemOf(error), problemText(error));
    }
  };
}

interface UploadForm {
  readonly fields: ReadonlyMap<string, string>;
  /** null: the form has no file. */
  readonly file: { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> } | null;
  /** Resolves once the form has ended as a form should; throws the reason of the reception's signal where it hasn't. */
  ended(): Promise<void>;
}

/** All of a form but its file: its fields, and what is between the parts. */
const FORM_BYTES = 100_000;

/** A token, a source's name and a little more. */
const FORM_LIMITS = { fields: 10, fieldSize: 2_000, files: 1, parts: 12, headerPairs: 20, headerSize: 8_000 };

/** Reads a form up to its file, which is then read as it comes. Throws the reason of the signal where the form is none or its sender goes away. */
async function readUploadForm(incoming: IncomingMessage, reception: Reception): Promise<UploadForm> {
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
