import type { Context } from 'hono';
import { type Cookies, isFormToken } from '../../identity/browser-secret.js';
import type { FormFields, PageView } from '../../pages/page.js';
import { formOutOfDate } from '../../pages/problem.js';
import type { AppEnv } from '../request.js';
import { isCrossOrigin } from '../security.js';
import type { ReadText } from './body-receiver.js';

/** Reads a form and checks its token; `refused`: the page to show instead. Throws RequestRefusal. */
export async function readForm(
  c: Context<AppEnv>,
  readText: ReadText,
  cookies: Cookies,
): Promise<{ readonly fields: FormFields } | { readonly refused: PageView }> {
  if (isCrossOrigin(c)) return { refused: formOutOfDate() };
  const fields = fieldsOf(await readText(c), c.req.header('content-type'));
  return isFormToken(fields.one('token'), cookies.secretOf(c)) ? { fields } : { refused: formOutOfDate() };
}

function fieldsOf(body: string, contentType: string | undefined): FormFields {
  const isForm = contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  const last = new Map(new URLSearchParams(isForm ? body : ''));
  return { one: (name) => last.get(name) ?? '', names: () => [...last.keys()] };
}
