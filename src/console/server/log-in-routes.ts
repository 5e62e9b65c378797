import { type Context, Hono } from 'hono';
import { logIn } from '../../actions/access/log-in.js';
import { endSession, startSession } from '../../actions/access/sessions.js';
import type { ActionContext } from '../../actions/context.js';
import { renderShown } from '../pages/layout.js';
import { type LogInOffer, logInPage } from '../pages/log-in.js';
import type { Shown } from '../pages/page.js';
import type { Refusal } from '../sign-in/sign-in.js';
import { type Cookies, formTokenOf, newSecret } from '../visits/browser-secret.js';
import { clientAddress } from '../visits/doorkeeper.js';
import type { ProviderLogIn } from '../visits/provider-log-in.js';
import { ownPath } from '../visits/visit.js';
import type { ReadText } from './bodies/read-text.js';
import { sentForm } from './bodies/sent-form.js';
import type { AppEnv } from './request.js';

/**
 * The addresses by which people sign in and out. Each sign-in gets a new secret: one that an attacker has planted in the
 * browser is worthless.
 */
export function logInRoutes(
  context: () => ActionContext,
  cookies: Cookies,
  provider: ProviderLogIn,
  readText: ReadText,
  onRefused: (detail: string) => void,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const outside = (page: Shown) =>
    renderShown(null, page, { name: context().config.console.name ?? null, attention: null, pulse: '' }).join(
      '',
    );
  const offered = (c: Context, offer: Partial<LogInOffer>) => {
    const { users, oidc, proxy } = context().config.console;
    const page = logInPage({
      hasUsers: users.length > 0,
      provider: oidc?.label ?? null,
      hasProxy: proxy !== undefined,
      formToken: formTokenOf(cookies.ownSecret(c)),
      to: '/',
      said: null,
      name: '',
      ...offer,
    });
    return c.html(outside(page), page.status ?? 200);
  };
  const refused = (c: Context, { code, text, detail }: Refusal) => {
    if (detail !== null) onRefused(detail);
    return offered(c, { status: code === 'unavailable' ? 503 : 403, said: text });
  };
  const enter = async (
    c: Context,
    who: Parameters<typeof startSession>[1],
    how: 'password' | 'oidc',
    to: string,
  ) => {
    const before = cookies.secretOf(c);
    const { secret } = await startSession(context(), who, how);
    if (before !== undefined) await endSession(context(), before);
    cookies.give(c, secret);
    return c.redirect(to, 303);
  };

  app.get('/log-in', (c) => {
    const ended = 'Your session has ended. Sign in, and your input is still there.';
    return offered(c, { to: ownPath(c.req.query('to')), said: c.req.query('ended') ? ended : null });
  });

  app.post('/log-in', async (c) => {
    const sent = await sentForm(c, readText, cookies);
    if ('refused' in sent) return c.html(outside(sent.refused), sent.refused.status);
    const { fields } = sent;
    const [name, to] = [fields.one('name').trim(), ownPath(fields.one('to'))];
    const address = clientAddress(context().config.console, c.env.incoming);
    const result = await logIn(context(), { name, password: fields.one('password'), address });
    if ('person' in result) return enter(c, result.person, 'password', to);
    if (result.refused === 'wrong')
      return offered(c, { to, name, status: 401, said: 'Name or password is wrong.' });
    const minutes = Math.max(1, Math.ceil(result.retryAfterMs / 60_000));
    c.header('retry-after', String(Math.ceil(result.retryAfterMs / 1_000)));
    const text = `Too many attempts have failed. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
    return offered(c, { to, name, status: 429, said: text });
  });

  app.get('/log-in/provider', async (c) => {
    const begun = await provider.begin(cookies.ownSecret(c), ownPath(c.req.query('to')));
    return 'url' in begun ? c.redirect(begun.url, 303) : refused(c, begun.refusal);
  });

  app.get('/log-in/done', async (c) => {
    const result = await provider.finish(cookies.secretOf(c), new URL(c.req.url));
    return 'person' in result ? enter(c, result.person, 'oidc', result.to) : refused(c, result.refusal);
  });

  app.post('/log-out', async (c) => {
    const sent = await sentForm(c, readText, cookies);
    if ('refused' in sent) return c.html(outside(sent.refused), sent.refused.status);
    await endSession(context(), cookies.secretOf(c) ?? '');
    cookies.give(c, newSecret());
    return c.redirect('/log-in', 303);
  });

  return app;
}
