import type { Context } from 'hono';
import { discardSample } from '../../actions/setup/new-source.js';
import { discardUpload, receiveSample, receiveUpload } from '../../actions/uploads.js';
import type { Clock } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { Shown } from '../pages/page.js';
import { notForRole, outOfDate, problemOf, problemText } from '../pages/problem.js';
import { hrefOf } from '../visits/visit.js';
import type { ConsoleContext } from '../work/console-context.js';
import { bodyRefusal } from '../work/status-of.js';
import { type Reception, type ReceptionLimits, reception } from './bodies/reception.js';
import { FORM_BYTES, readUploadForm } from './bodies/upload-form.js';
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
