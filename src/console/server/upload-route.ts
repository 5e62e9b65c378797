import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Context } from 'hono';
import { discardSample } from '../../actions/setup/source.js';
import { discardUpload, receiveSample, receiveUpload } from '../../actions/uploads.js';
import { OperatorError } from '../../domain/operator-error.js';
import { type Cookies, isFormToken } from '../identity/browser-secret.js';
import type { PageView } from '../pages/page.js';
import { accessDenied, formOutOfDate, problemOf, problemText } from '../pages/problem.js';
import type { ConsoleContext } from '../work/console-context.js';
import { bodyRefusal } from '../work/status-of.js';
import { hrefOf } from '../work/visit.js';
import { type BodyLimits, bodyReceiver, type IncomingBody, limitedBytes } from './bodies/body-receiver.js';
import type { AppEnv } from './request.js';
import { isCrossOrigin } from './security.js';

type Answer = { readonly to: string } | PageView;

/**
 * Takes a file that an operator sends by a form, as a stream. Before a byte of it is kept, the sender has shown that the form is this
 * server's own; what is too large, too slow or broken off leaves nothing behind.
 */
export function uploadRoute(
  context: ConsoleContext,
  cookies: Cookies,
  show: (c: Context<AppEnv>, page: PageView) => Promise<Response>,
  limits?: BodyLimits,
) {
  const receive = bodyReceiver(context.actionContext().clock, limits);
  const receiveForm = async (c: Context<AppEnv>, received: IncomingBody): Promise<Answer> => {
    const { file, fields, ended } = await readUploadForm(c.env.incoming, received);
    if (!isFormToken(fields.get('token'), cookies.secretOf(c))) return formOutOfDate();
    if (file === null || file.name === '')
      throw bodyRefusal(400, 'no file was chosen', 'Go back, choose a file, and send it again.');
    // The sample of a source that is to be added, or a file of one that is there.
    const isSample = fields.has('new');
    const source = fields.get(isSample ? 'new' : 'source') ?? '';
    const keep = isSample ? receiveSample : receiveUpload;
    const { id } = await keep(context.actionContext(), { ...file, source, signal: received.signal });
    try {
      await ended;
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
      // The rest of the file must not be read as another request.
      c.header('connection', 'close');
      return isScript
        ? c.json({ message: why ?? `${result.title}.` }, result.status ?? 400)
        : show(c, result);
    };
    if (isCrossOrigin(c)) return answer(formOutOfDate());
    if (!c.get('visit').mayAct) return answer(accessDenied(['operator']));
    const maxBytes = context.actionContext().config.console.largestUploadBytes;
    try {
      return await answer(await receive(c, maxBytes, (received) => receiveForm(c, received), FORM_BYTES));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      return answer(problemOf(error), problemText(error));
    }
  };
}

/** Everything in a form except its file. */
const FORM_BYTES = 100_000;

/** A token, a source's name and a little more. */
const FORM_LIMITS = { fields: 10, fieldSize: 2_000, files: 1, parts: 12, headerPairs: 20, headerSize: 8_000 };

/**
 * Reads a form up to its file, which is then read as it comes; `ended` resolves once the form has ended as a form should. Both throw the
 * reason of the signal where it is none or its sender goes away. `file`: null where the form has none.
 */
async function readUploadForm(incoming: IncomingMessage, body: IncomingBody) {
  const { maxBytes, signal, stop } = body;
  const parser = parserOf(incoming, body);
  const fields = new Map<string, string>();
  let isFileBegun = false;
  let bytes = 0;
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', () => stop(400));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // It may fail long before it is awaited.
  ended.catch(() => {});
  // Fields after the file come too late.
  parser.on('field', (name, value) => void (isFileBegun || fields.set(name, value)));
  const filePart = new Promise<{ readonly name: string; readonly chunks: AsyncIterable<Uint8Array> }>(
    (resolve) => {
      parser.on('file', (field, stream, name) => {
        isFileBegun = true;
        stream.on('error', () => stop(400));
        if (field !== 'file') return void stream.resume();
        // Otherwise its reader would wait forever.
        signal.addEventListener('abort', () => void stream.destroy(), { once: true });
        resolve({ name: name ?? '', chunks: limitedBytes(stream, body) });
      });
    },
  );
  // The parser never stops at malformed parts and overlong fields.
  const onData = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > FORM_BYTES + (isFileBegun ? maxBytes : 0)) stop(413);
  };
  incoming.pipe(parser);
  incoming.on('data', onData);
  signal.addEventListener('abort', () => void incoming.off('data', onData).unpipe(parser), { once: true });
  return { fields, file: await Promise.race([filePart, ended.then(() => null)]), ended };
}

function parserOf({ headers }: IncomingMessage, { signal, stop }: IncomingBody) {
  try {
    // The name as it was sent: it is judged later, and never a path.
    return new Busboy({ headers: headers as BusboyHeaders, preservePath: true, limits: FORM_LIMITS });
  } catch {
    stop(400);
    throw signal.reason;
  }
}
