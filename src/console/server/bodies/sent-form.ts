import type { Context } from 'hono';
import type { FormFields, Shown } from '../../pages/page.js';
import { outOfDate } from '../../pages/problem.js';
import { type Cookies, isFormToken } from '../../visits/browser-secret.js';
import type { AppEnv } from '../request.js';
import { isForeign } from '../security.js';
import type { ReadText } from './reception.js';

/** Reads a form that this console has made for the browser that sends it; or says in a page why it is not taken. Throws RequestRefusal. */
export async function sentForm(
  c: Context<AppEnv>,
  readText: ReadText,
  cookies: Cookies,
): Promise<{ readonly fields: FormFields } | { readonly refused: Shown }> {
  if (isForeign(c)) return { refused: outOfDate() };
  const fields = fieldsOf(await readText(c), c.req.header('content-type'));
  return isFormToken(fields.one('token'), cookies.secretOf(c)) ? { fields } : { refused: outOfDate() };
}

function fieldsOf(body: string, contentType: string | undefined): FormFields {
  const isForm = contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  const last = new Map(new URLSearchParams(isForm ? body : ''));
  return { one: (name) => last.get(name) ?? '', names: () => [...last.keys()] };
}
