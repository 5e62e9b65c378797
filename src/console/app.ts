import { hash } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cachedFor } from '../actions/monitor/cached-for.js';
import type { Clock } from '../domain/clock.js';
import type { MonitorRoutes } from '../monitor/monitor-routes.js';
import { type Html, renderHtml } from '../report/page/html.js';
import { apiRoutes } from './api/api-routes.js';
import { type Cookies, formTokenOf } from './identity/browser-secret.js';
import { identifyUser, LIVE_UPDATE_HEADER } from './identity/identify-user.js';
import { assetRoutes } from './pages/assets.js';
import { renderPage } from './pages/layout.js';
import { type PageView, streamOfPieces } from './pages/page.js';
import { PAGES } from './pages/pages.js';
import { accessDenied, pageNotFound, problemOf, signInRefused } from './pages/problem.js';
import { type BodyLimits, textReader } from './server/bodies/body-receiver.js';
import { readForm } from './server/bodies/read-form.js';
import { contextFor } from './server/context-for.js';
import { logInRoutes } from './server/log-in-routes.js';
import { type AppEnv, requestLine } from './server/request.js';
import { isCrossOrigin, requireHost, securityHeaders } from './server/security.js';
import { uploadRoute } from './server/upload-route.js';
import type { ProviderLogIn } from './sign-in/oidc.js';
import type { ConsoleContext } from './work/console-context.js';
import { ownPath, type Visit } from './work/visit.js';

export interface AppParts {
  readonly context: ConsoleContext;
  readonly network: Clock;
  /** The user of this machine, where registrar.yaml names none; null: other machines reach the console. */
  readonly account: string | null;
  readonly cookies: Cookies;
  readonly provider: ProviderLogIn;
  /** Where browsers reach the console; null: on this machine alone. */
  readonly url: string | null;
  readonly isSecure: boolean;
  /** The installation's name, known even without the ledger; null: it has none. */
  readonly name: () => string | null;
  /** Called for a bug, and for work in the background that failed; the text for people is the caller's. */
  readonly onFailure: (error: unknown, request: string) => void;
  /** Called with a detail for the log where a provider or a proxy names a person without access, or fails. */
  readonly onRefused: (detail: string) => void;
  /** The time limits for uploads; absent: the default. */
  readonly uploads?: BodyLimits | undefined;
  /** Served without a sign-in; null: not here. */
  readonly monitor: MonitorRoutes | null;
}

export function consoleApp(parts: AppParts): Hono<AppEnv> {
  const { context, account, cookies, network, onFailure } = parts;
  const app = new Hono<AppEnv>();
  app.use(securityHeaders(parts.isSecure));
  app.use(discardHeadBody);
  app.use('/metrics', requireHost(parts.url, true));
  // Probes use any address and name of this machine; they learn nothing but whether it works.
  for (const [path, route] of Object.entries(parts.monitor ?? {})) {
    app.get(path, async () => {
      const { status, contentType, text } = await route();
      return new Response(text, { status, headers: { 'content-type': contentType } });
    });
  }
  app.use(requireHost(parts.url));
  app.route('/assets', assetRoutes());
  app.route('/api/v1', apiRoutes(context, account, onFailure));

  const pulse = cachedFor(network, PULSE, async () => hash('sha256', await context.query('pulse', {})));
  /** What the layout needs: how many rows need attention (null: the ledger can’t be read), and the pulse. */
  const readFrame = () => ({
    open: context.query('openRows', {}).catch(() => null),
    pulse: pulse().catch(() => ''),
  });
  const sendPage = async (c: Context<AppEnv>, visit: Visit | null, page: PageView, read = readFrame()) => {
    const { rest } = page;
    // It may fail before it is waited for.
    rest?.catch(() => {});
    const attention = visit === null ? null : await read.open;
    // Without a ledger the page has the status of its failure.
    if (attention === null) await rest;
    const [before, after] = renderPage(visit, page, {
      name: parts.name(),
      attention,
      pulse: page.isLive ? await read.pulse : '',
    });
    if (rest === undefined) return c.html(before + after, page.status ?? 200);
    const content = rest.catch((error: unknown) => failed(c, error).content);
    return c.body(streamOfPieces(piecesOf(network, before, content, after)), 200, HTML);
  };
  const failed = (c: Context<AppEnv>, error: unknown) => {
    const problem = problemOf(error);
    if (problem.status === 500) onFailure(error, requestLine(c));
    return problem;
  };
  app.onError((error, c) => sendPage(c, c.get('visit') ?? null, failed(c, error)));

  const readText = textReader(network);
  app.route('/', logInRoutes(context.actionContext, cookies, parts.provider, readText, parts.onRefused));
  app.use(requireUser(parts, sendPage));
  app.get('/pulse', async (c) => c.text(await pulse()));
  for (const { path, roles, show, submit, forms = {} } of PAGES) {
    if (show) {
      app.get(path, async (c) => {
        const visit = visitOf(c);
        if (roles?.includes(visit.person.role) === false) return sendPage(c, visit, accessDenied(roles));
        // Before the page's own queries, which may take longer, so that no change between the two is missed.
        const read = readFrame();
        const page = await show(visit);
        return page instanceof Response ? page : sendPage(c, visit, page, read);
      });
    }
    const below = Object.entries(forms).map(([name, form]) => [`${path}/${name}`, form] as const);
    for (const [address, form] of [[path, submit] as const, ...below]) {
      if (form === undefined) continue;
      app.post(address, async (c) => {
        const visit = visitOf(c);
        const sent = await readForm(c, readText, cookies);
        if ('refused' in sent) return sendPage(c, visit, sent.refused);
        if (!visit.mayAct) return sendPage(c, visit, accessDenied(['operator']));
        const answer = await form(visit, sent.fields);
        return 'to' in answer ? c.redirect(answer.to, 303) : sendPage(c, visit, answer.page);
      });
    }
  }
  const showUpload = (c: Context<AppEnv>, page: PageView) => sendPage(c, c.get('visit'), page);
  app.post('/files/upload', uploadRoute(context, cookies, showUpload, parts.uploads));
  app.notFound((c) => sendPage(c, c.get('visit') ?? null, pageNotFound()));
  return app;
}

/** Open pages ask every few seconds whether the ledger has changed; it is read once for all of them. */
const PULSE = { leastMs: 2_000, times: 9 };

const HTML = { 'content-type': 'text/html; charset=UTF-8' };

/** Proxies close idle connections. */
const KEEP_ALIVE_MS = 15_000;

async function* piecesOf(clock: Clock, before: string, content: Promise<Html>, after: string) {
  yield before;
  const over = new AbortController();
  try {
    for (let html: Html | null = null; html === null; ) {
      html = await Promise.race([content, clock.sleep(KEEP_ALIVE_MS, over.signal).then(() => null)]);
      yield html === null ? '\n' : renderHtml(html);
    }
  } finally {
    over.abort();
  }
  yield after;
}

/** Ends the body of an answer to a HEAD request. */
const discardHeadBody: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
};

/** Redirects everyone else to the sign-in. */
function requireUser(
  { context, account, cookies }: AppParts,
  sendPage: (c: Context<AppEnv>, visit: null, page: PageView) => Promise<Response>,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const isUsed = c.req.header(LIVE_UPDATE_HEADER) === undefined;
    const secret = cookies.secretOf(c);
    const known = await identifyUser(context.actionContext(), account, secret, c.env.incoming, isUsed);
    if (known === null) {
      if (!isUsed) return c.text('The session has ended.\n', 401);
      const isForm = c.req.method === 'POST';
      const to = isForm ? refererPath(c) : `${c.req.path}${new URL(c.req.url).search}`;
      return c.redirect(`/log-in?${new URLSearchParams({ to, ...(isForm ? { ended: 'yes' } : {}) })}`, 303);
    }
    if ('refusal' in known) return sendPage(c, null, signInRefused(known.refusal.text));
    const { person, hasSession } = known;
    // Boxes that are ticked come as one name with several values.
    const query = Object.entries(c.req.queries()).map(([name, all]) => [name, all.join(',')] as const);
    c.set('visit', {
      ...contextFor(person, context),
      person,
      hasSession,
      seesPeople: person.role !== 'viewer',
      mayAct: person.role === 'operator',
      address: { path: c.req.path, query: Object.fromEntries(query) },
      params: {},
      formToken: formTokenOf(cookies.ownSecret(c)),
      nowMs: context.actionContext().clock.nowMs(),
    });
    return next();
  };
}

function refererPath(c: Context): string {
  const referer = c.req.header('referer') ?? '';
  if (isCrossOrigin(c) || !URL.canParse(referer)) return '/';
  const { pathname, search } = new URL(referer);
  return ownPath(`${pathname}${search}`);
}

function visitOf(c: Context<AppEnv>): Visit {
  return { ...c.get('visit'), params: c.req.param() as Readonly<Record<string, string>> };
}
