import { type Context, Hono } from 'hono';
import type { Role } from '../../domain/access/role.js';
import type { Clock } from '../../domain/clock.js';
import type { MonitorRoutes } from '../../monitor/monitor-routes.js';
import type { ApiCallers } from '../api/api-caller.js';
import { apiRoutes } from '../api/api-routes.js';
import { FORMS } from '../forms/forms.js';
import { DOCUMENTS } from '../pages/documents.js';
import type { Shown } from '../pages/page.js';
import { PAGES } from '../pages/pages.js';
import { noSuchPage, notForRole, notLetIn, problemOf } from '../pages/problem.js';
import type { Cookies } from '../visits/cookie.js';
import { zoneOf } from '../visits/cookie.js';
import type { Doorkeeper } from '../visits/doorkeeper.js';
import { formTokenOf, isFormToken, newSecret } from '../visits/form-token.js';
import type { ProviderLogIn } from '../visits/provider-log-in.js';
import type { Visit } from '../visits/visit.js';
import type { AppEnv } from './app-env.js';
import { assetRoutes } from './assets.js';
import type { Desk } from './desk.js';
import { DOWNLOAD_PATH, downloadRoute } from './download-route.js';
import type { LedgerEvents } from './events.js';
import { logInRoutes } from './log-in-routes.js';
import { renderShown } from './render.js';
import { requireHost, securityHeaders } from './security.js';
import { sentForm } from './sent-form.js';
import { uploadRoute } from './upload-route.js';
import type { UploadLimits } from './upload-stream.js';
/** What an app is made of. */
export interface AppParts {
  readonly desk: Desk;
  readonly clock: Clock;
  /** By which connections are given up. */
  readonly network: Clock;
  readonly doorkeeper: Doorkeeper;
  /** Programs, which have tokens. */
  readonly callers: ApiCallers;
  readonly cookies: Cookies;
  readonly provider: ProviderLogIn;
  /** Where browsers reach the console; null: on this machine alone. */
  readonly url: string | null;
  readonly isSecure: boolean;
  /** Called for a bug, with what was asked for; the text for people is the caller's. */
  readonly onFailure: (error: unknown, asked: string) => void;
  /** Called with a detail for the log where a provider or a proxy names somebody who isn't let in. */
  readonly onRefused: (detail: string) => void;
  readonly events: LedgerEvents;
  /** Absent: the usual ones. */
  readonly uploads?: UploadLimits | undefined;
  /** Served beside the pages, to everybody; null: not here. */
  readonly monitor: MonitorRoutes | null;
}

/** All addresses of the console. */
export function consoleApp(parts: AppParts): Hono<AppEnv> {
  const { desk, doorkeeper, cookies, clock, network, onFailure } = parts;
  const app = new Hono<AppEnv>();
  app.use(securityHeaders(parts.isSecure));
  // Probes ask by any address of this machine.
  for (const [path, route] of Object.entries(parts.monitor?.routes ?? {})) {
    app.get(path, async (c) => {
      const { status, contentType, text } = await route(c.env.incoming);
      return new Response(text, { status, headers: { 'content-type': contentType } });
    });
  }
  app.use(requireHost(parts.url));
  app.route('/assets', assetRoutes());
  app.route('/api/v1', apiRoutes({ desk, callers: parts.callers, clock, onFailure }));

  const shown = (c: Context<AppEnv>, visit: Visit | null, page: Shown) =>
    c.html(renderShown(visit, page), page.status ?? 200);
  app.onError((error, c) => {
    const visit = c.get('visit') ?? null;
    const problem = problemOf(error);
    if (problem.status === 500) onFailure(error, `${c.req.method} ${c.req.path}`);
    return shown(c, visit, problem);
  });

  app.route('/', logInRoutes(desk.context, cookies, parts.provider, network, parts.onRefused));
  app.use(async (c, next) => {
    const secret = cookies.secretOf(c);
    const known = await doorkeeper.who(secret, c.env.incoming);
    if (known === null) {
      const to = c.req.method === 'GET' ? `${c.req.path}${new URL(c.req.url).search}` : '/';
      return c.redirect(`/log-in?${new URLSearchParams({ to })}`, 303);
    }
    if ('refusal' in known) return shown(c, null, notLetIn(known.refusal.text));
    const own = secret ?? newSecret();
    if (secret === undefined) cookies.give(c, own);
    const { person, hasSession } = known;
    c.set('visit', {
      person,
      hasSession,
      isMasked: person.role === 'viewer',
      mayAct: person.role === 'operator',
      address: { path: c.req.path, query: queryOf(c.req.queries()) },
      params: {},
      formToken: formTokenOf(own),
      nowMs: clock.nowMs(),
      timeZone: zoneOf(c),
    });
    return next();
  });

  app.get('/events', (c) => parts.events.stream(c));
  for (const page of PAGES) {
    app.get(page.path, async (c) => {
      const visit = { ...c.get('visit'), params: c.req.param() as Readonly<Record<string, string>> };
      if (!isFor(page.roles, visit)) return shown(c, visit, notForRole(page.roles));
      return shown(c, visit, await page.show(visit, desk));
    });
  }

  const show = (c: Context<AppEnv>, page: Shown) => shown(c, c.get('visit'), page);
  app.get(DOWNLOAD_PATH, downloadRoute(desk, show));
  const upload = uploadRoute({
    desk,
    limits: parts.uploads,
    isOwnToken: (c, token) => isFormToken(token, cookies.secretOf(c)),
    show,
  });
  app.post('/files/upload', upload);
  for (const { path, roles, serve } of DOCUMENTS) {
    app.get(path, async (c) => {
      const visit = { ...c.get('visit'), params: c.req.param() as Readonly<Record<string, string>> };
      return isFor(roles, visit) ? serve(visit, desk) : shown(c, visit, notForRole(roles));
    });
  }

  for (const form of FORMS) {
    app.post(form.path, async (c) => {
      const visit = { ...c.get('visit'), params: c.req.param() as Readonly<Record<string, string>> };
      const sent = await sentForm(c, network, cookies);
      if ('refused' in sent) return shown(c, visit, sent.refused);
      if (!visit.mayAct) return shown(c, visit, notForRole(['operator']));
      const answer = await form.submit(visit, sent.fields, desk);
      return 'to' in answer ? c.redirect(answer.to, 303) : shown(c, visit, answer.shown);
    });
  }
  app.notFound((c) => shown(c, c.get('visit') ?? null, noSuchPage()));
  return app;
}

/** Boxes that are ticked come as one name with several values. */
function queryOf(values: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.join(',')]));
}

function isFor(roles: readonly Role[] | undefined, { person }: Visit): boolean {
  return roles === undefined || roles.includes(person.role);
}
