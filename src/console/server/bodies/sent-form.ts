import type { Context } from 'hono';
import type { Clock } from '../../../domain/clock.js';
import type { FormFields, Shown } from '../../pages/page.js';
import { outOfDate, unreadForm } from '../../pages/problem.js';
import type { Cookies } from '../../visits/cookie.js';
import { isFormToken } from '../../visits/form-token.js';
import { isForeign } from '../security.js';
import { bodyText } from './body-text.js';

/** Reads a form that this console has made for the browser that sends it; or says in a page why it is not taken. */
export async function sentForm(
  c: Context,
  clock: Clock,
  cookies: Cookies,
): Promise<{ readonly fields: FormFields } | { readonly refused: Shown }> {
  if (isForeign(c)) return { refused: outOfDate() };
  const body = await bodyText(c, clock);
  if ('unread' in body) {
    // The rest of it would be taken for the next request.
    c.header('connection', 'close');
    return { refused: unreadForm(body.unread) };
  }
  const fields = fieldsOf(body.text, c.req.header('content-type'));
  return isFormToken(fields.one('token'), cookies.secretOf(c)) ? { fields } : { refused: outOfDate() };
}

function fieldsOf(body: string, contentType: string | undefined): FormFields {
  const isForm = contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  const sent = new URLSearchParams(isForm ? body : '');
  const last = new Map(sent);
  return {
    one: (name) => last.get(name) ?? '',
    all: (name) => sent.getAll(name),
    names: () => [...new Set(sent.keys())],
  };
}
