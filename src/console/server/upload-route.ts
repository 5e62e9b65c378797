import type { Context } from 'hono';
import { receiveUpload } from '../../actions/uploads/receive.js';
import { discardUpload } from '../../actions/uploads/uploads.js';
import { sizeWords } from '../../config/values/file-size.js';
import { OperatorError } from '../../domain/operator-error.js';
import { html } from '../../report/page/html.js';
import type { Shown } from '../pages/page.js';
import { notForRole, outOfDate, problemOf, problemText } from '../pages/problem.js';
import type { Desk } from '../work/desk.js';
import type { AppEnv } from './app-env.js';
import {
  FORM_BYTES,
  readSentForm,
  type SentForm,
  type StopReason,
  type UploadLimits,
  UploadStopped,
  USUAL_LIMITS,
} from './bodies/upload-stream.js';
import { isForeign } from './security.js';

/** What the route of uploads needs beside the desk. */
export interface UploadParts {
  readonly desk: Desk;
  /** Absent: the usual ones. */
  readonly limits?: UploadLimits | undefined;
  isOwnToken(c: Context<AppEnv>, token: string): boolean;
  show(c: Context<AppEnv>, page: Shown): Response | Promise<Response>;
}

/**
 * Takes a file that an operator sends by a form, as a stream. Before a byte of it is kept, the sender has shown that the form is this
 * server's own; what is too large, too slow or broken off leaves nothing behind.
 */
export function uploadRoute({ desk, limits = USUAL_LIMITS, isOwnToken, show }: UploadParts) {
  let underWay = 0;
  const receive = async (c: Context<AppEnv>, form: SentForm): Promise<Shown | { readonly to: string }> => {
    if (!isOwnToken(c, form.fields.get('token') ?? '')) return outOfDate();
    const { file, fields, signal } = form;
    if (file === null || file.name === '') return noFile();
    const { id } = await receiveUpload(desk.context(), {
      chunks: file.chunks,
      source: fields.get('source') ?? '',
      name: file.name,
      who: c.get('visit').person.name,
      signal,
    });
    try {
      await form.ended();
    } catch (error) {
      await discardUpload(desk.context(), { id });
      throw error;
    }
    return { to: `/files/uploads/${id}` };
  };

  return async (c: Context<AppEnv>): Promise<Response> => {
    const answer = (result: Shown | { readonly to: string }, why?: string) => {
      const isScript = c.req.header('accept') === 'application/json';
      if ('to' in result) return isScript ? c.json(result) : c.redirect(result.to, 303);
      // What still comes of the file belongs to no other request.
      c.header('connection', 'close');
      return isScript ? c.json({ said: why ?? `${result.title}.` }, result.status ?? 400) : show(c, result);
    };
    if (isForeign(c)) return answer(outOfDate());
    if (!c.get('visit').mayAct) return answer(notForRole(['operator']));
    const { config, clock } = desk.context();
    const mostBytes = config.console.largestUploadBytes;
    if (Number(c.req.header('content-length') ?? 0) > mostBytes + FORM_BYTES)
      return answer(stopped('too-large', mostBytes));
    if (underWay >= limits.mostAtOnce) return answer(enough(limits.mostAtOnce));
    underWay += 1;
    let form: SentForm | null = null;
    try {
      form = await readSentForm(c.env.incoming, clock, { ...limits, mostBytes });
      return await answer(await receive(c, form));
    } catch (error) {
      if (error instanceof UploadStopped) return await answer(stopped(error.reason, mostBytes));
      const problem = problemOf(error);
      if (problem.status === 500) throw error;
      return await answer(problem, error instanceof OperatorError ? problemText(error) : undefined);
    } finally {
      form?.leave();
      underWay -= 1;
    }
  };
}

function stopped(reason: StopReason, mostBytes: number): Shown {
  switch (reason) {
    case 'too-large':
      return said(
        413,
        `The file is larger than ${sizeWords(mostBytes)}`,
        'Put it into the inbox another way, or split it. The limit is console.largestUpload in registrar.yaml.',
      );
    case 'too-slow':
      return said(
        408,
        'The file came too slowly',
        'Nothing of it was kept. Try again by a better connection.',
      );
    case 'gone':
    case 'broken':
      return said(400, 'The file didn’t come whole', 'Nothing of it was kept. Try again.');
  }
}

function noFile(): Shown {
  return said(400, 'No file was chosen', 'Go back, choose a file, and send it again.');
}

function enough(most: number): Shown {
  return said(429, `${most} files are being sent already`, 'Try again in a minute.');
}

function said(status: NonNullable<Shown['status']>, title: string, what: string): Shown {
  return {
    title,
    section: '/files',
    status,
    content: html`<p class="second">${what}</p><p class="note"><a href="/files">Files</a></p>`,
  };
}
