import { type Context, Hono } from 'hono';
import { logIn } from '../../actions/access/log-in.js';
import { newSecret } from '../../actions/access/secret.js';
import { endSession, startSession } from '../../actions/access/sessions.js';
import type { ActionContext } from '../../actions/context.js';
import type { Person } from '../../domain/access/role.js';
import { html } from '../../report/page/html.js';
import { type Cookies, formTokenOf } from '../identity/browser-secret.js';
import { clientAddress } from '../identity/identify-user.js';
import { renderPage } from '../pages/layout.js';
import type { PageView } from '../pages/page.js';
import { formToken, hiddenFields, notice } from '../pages/parts/fields.js';
import type { ProviderLogIn } from '../sign-in/oidc.js';
import type { Refusal } from '../sign-in/sign-in.js';
import { hrefOf, ownPath } from '../work/visit.js';
import type { ReadText } from './bodies/body-receiver.js';
import { readForm } from './bodies/read-form.js';
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
  const sendPage = (c: Context, page: PageView) => {
    const layout = { name: context().config.console.name ?? null, attention: null, pulse: '' };
    return c.html(renderPage(null, page, layout).join(''), page.status ?? 200);
  };
  /** The form. @param message what went wrong; null: nothing yet. */
  const offered = (
    c: Context,
    status: NonNullable<PageView['status']>,
    { to = '/', name = '', message = null }: { to?: string; name?: string; message?: string | null },
  ) => {
    const { users, oidc, proxy } = context().config.console;
    const hasUsers = users.length > 0;
    const atProvider = { path: '/log-in/provider', query: { to } };
    const content = html`<section>${notice(message, status === 200 ? 'open' : 'bad')}
${hasUsers ? passwordForm(formTokenOf(cookies.ownSecret(c)), to, name, status !== 200) : ''}
${oidc === undefined ? '' : html`<p class="buttons"><a class="button${hasUsers ? ' second-choice' : ''}" href="${hrefOf(atProvider)}">${oidc.label}</a></p>`}
${hasUsers || oidc !== undefined ? '' : html`<p class="second">${proxy === undefined ? NO_USERS : NO_SIGN_IN}</p>`}</section>`;
    return sendPage(c, { title: 'Sign in', content, status });
  };
  const refused = (c: Context, { code, text, detail }: Refusal) => {
    if (detail !== null) onRefused(detail);
    return offered(c, code === 'unavailable' ? 503 : 403, { message: text });
  };
  const enter = async (c: Context, who: Person, how: 'password' | 'oidc', to: string) => {
    const before = cookies.secretOf(c);
    const { secret } = await startSession(context(), who, how);
    if (before !== undefined) await endSession(context(), before);
    cookies.give(c, secret);
    return c.redirect(to, 303);
  };

  app.get('/log-in', (c) => {
    const ended = 'Your session has ended. Your input is kept: sign in to continue.';
    return offered(c, 200, { to: ownPath(c.req.query('to')), message: c.req.query('ended') ? ended : null });
  });

  app.post('/log-in', async (c) => {
    const sent = await readForm(c, readText, cookies);
    if ('refused' in sent) return sendPage(c, sent.refused);
    const { fields } = sent;
    const [name, to] = [fields.one('name').trim(), ownPath(fields.one('to'))];
    const address = clientAddress(context().config.console, c.env.incoming);
    const result = await logIn(context(), { name, password: fields.one('password'), address });
    if ('person' in result) return enter(c, result.person, 'password', to);
    if (result.refused === 'wrong')
      return offered(c, 401, { to, name, message: 'Name or password is wrong.' });
    const minutes = Math.max(1, Math.ceil(result.retryAfterMs / 60_000));
    c.header('retry-after', String(Math.ceil(result.retryAfterMs / 1_000)));
    const text = `Too many attempts have failed. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
    return offered(c, 429, { to, name, message: text });
  });

  app.get('/log-in/provider', async (c) => {
    const started = await provider.begin(cookies.ownSecret(c), ownPath(c.req.query('to')));
    return 'url' in started ? c.redirect(started.url, 303) : refused(c, started.refusal);
  });

  app.get('/log-in/done', async (c) => {
    const result = await provider.finish(cookies.secretOf(c), new URL(c.req.url));
    return 'person' in result ? enter(c, result.person, 'oidc', result.to) : refused(c, result.refusal);
  });

  app.post('/log-out', async (c) => {
    const sent = await readForm(c, readText, cookies);
    if ('refused' in sent) return sendPage(c, sent.refused);
    await endSession(context(), cookies.secretOf(c) ?? '');
    cookies.give(c, newSecret().secret);
    return c.redirect('/log-in', 303);
  });

  return app;
}

const NO_SIGN_IN = 'The proxy didn’t say who you are. Open the console at the proxy’s address.';
const NO_USERS = html`No users yet: registrar.yaml names none. On its own machine <a href="/">the console</a> is open; from elsewhere there is no access.`;

function passwordForm(token: string, to: string, name: string, isWrong: boolean) {
  const wrong = isWrong ? html` aria-invalid="true"` : '';
  return html`<form method="post" action="/log-in">${formToken({ formToken: token })}${hiddenFields({ to })}
<p class="field"><label for="name">Name</label>
<input id="name" name="name" type="text" required maxlength="200" autocomplete="username" autocapitalize="none" spellcheck="false" value="${name}"${wrong}${isWrong ? '' : html` autofocus`}></p>
<p class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="1000" autocomplete="current-password"${wrong}${isWrong ? html` autofocus` : ''}></p>
<p class="buttons"><button>Sign in</button></p></form>`;
}
