import { hash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { type ApiAnswer, idempotentAnswers, type SentFile } from '../../actions/access/idempotent-answers.js';
import { once } from '../../domain/process/once.js';
import { bodyReceiver, limitedBytes, textReader } from '../server/bodies/body-receiver.js';
import { contextFor } from '../server/context-for.js';
import { type AppEnv, requestLine } from '../server/request.js';
import type { ConsoleContext } from '../work/console-context.js';
import { RequestRefusal } from '../work/status-of.js';
import { deciderOf } from '../work/visit.js';
import { apiCallers } from './api-caller.js';
import { openApi } from './open-api.js';
import type { ApiOperation, ApiRequest } from './operation.js';
import { OPERATIONS } from './operations.js';
import { readBody, readKey, readQuery, requireType } from './read-request.js';
import { refusalOf } from './refusal.js';

const described = once(() => {
  const text = JSON.stringify(openApi(OPERATIONS));
  return { text, etag: etagOf(text) };
});

/**
 * The addresses below `/api/v1`, for programs: each of `OPERATIONS`, and the document that describes them.
 * @param account as `apiCallers` takes it. @param onFailure called for a bug, with the request.
 */
export function apiRoutes(
  context: ConsoleContext,
  account: string | null,
  onFailure: (error: unknown, request: string) => void,
): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  const callerOf = apiCallers(context.actionContext, account);
  const answer = answering(context, callerOf);
  const refused = (c: Context<AppEnv>, error: unknown) => {
    const { headers, problem } = refusalOf(error, c.req.path);
    if (problem.status === 500) onFailure(error, requestLine(c));
    const type = { 'content-type': 'application/problem+json' };
    return c.body(JSON.stringify(problem), problem.status, { ...headers, ...type });
  };
  api.onError((error, c) => refused(c, error));

  // Nothing in it is secret, and who writes a client needs it first.
  api.get('/openapi.json', (c) => ifChanged(c, described()));
  const routes = OPERATIONS.map((operation) => ({
    operation,
    path: operation.path.replace(/\{(\w+)\}/g, ':$1'),
  }));
  for (const { operation, path } of routes)
    api.on(operation.method, path, async (c: Context<AppEnv>) => shown(c, await answer(c, operation)));
  const refuse = (status: 404 | 405, message: string, hint: string) => async (c: Context<AppEnv>) => {
    await callerOf(c.env.incoming);
    throw unanswered(status, `${c.req.method} ${c.req.path}`, message, hint);
  };
  for (const { path } of routes) {
    const methods = routes.flatMap((one) => (one.path === path ? [one.operation.method.toUpperCase()] : []));
    api.all(path, refuse(405, 'this address doesn’t accept the method', `It accepts ${methods.join(', ')}.`));
  }
  api.all('*', refuse(404, 'there is no such address', 'GET /api/v1/openapi.json lists all of them.'));
  return api;
}

function answering(context: ConsoleContext, callerOf: ReturnType<typeof apiCallers>) {
  const { clock } = context.actionContext();
  const receive = bodyReceiver(clock);
  const readText = textReader(clock);
  const once = idempotentAnswers(context.actionContext);
  return async (c: Context<AppEnv>, operation: ApiOperation): Promise<ApiAnswer> => {
    const { person, headers } = await callerOf(c.env.incoming);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const { body, roles, method, path } = operation;
    if (!roles.includes(person.role)) {
      const subject = `${method.toUpperCase()} ${path}`;
      throw unanswered(
        403,
        subject,
        `the role ${person.role} has no access to this address`,
        `Roles with access: ${roles.join(', ')}.`,
      );
    }
    const query = readQuery(c.req, operation.query);
    const carryOut = (sent: unknown, hash: string | null) =>
      operation.carryOut({
        person,
        who: { ...deciderOf({ person }), ...(hash === null ? {} : { request: hash }) },
        params: c.req.param() as Readonly<Record<string, string>>,
        query,
        body: sent,
        context: contextFor(person, context),
        keepWaiting: () => void c.env.incoming.socket.setTimeout(0),
      } as ApiRequest<never, never>);
    if (body === null) return carryOut(null, null);
    requireType(c, body);
    const key = operation.takesKey ? readKey(c.req) : undefined;
    const { pathname, search } = new URL(c.req.url);
    const target = `${c.req.method} ${pathname}${search}`;
    const done = (
      sent: string | SentFile,
      work: (sent: string | SentFile, hash: string | null) => Promise<ApiAnswer>,
    ) => (key === undefined ? work(sent, null) : once({ person, key, target, body: sent }, work));
    if (body === 'file') {
      const maxBytes = context.actionContext().config.console.largestUploadBytes;
      return receive(c, maxBytes, (received) =>
        done({ chunks: limitedBytes(c.env.incoming, received), signal: received.signal }, carryOut),
      );
    }
    return done(await readText(c), (text, hash) => carryOut(readBody(String(text), body), hash));
  };
}

function shown(c: Context<AppEnv>, { status, document, isReplayed = false }: ApiAnswer): Response {
  const { next, look } = document as { readonly next?: unknown; readonly look?: unknown };
  if (typeof next === 'string') {
    const { pathname, searchParams } = new URL(c.req.url);
    searchParams.set('after', next);
    c.header('link', `<${pathname}?${searchParams}>; rel="next"`);
  }
  if (isReplayed) c.header('idempotency-replayed', 'true');
  if (status === 202 && typeof look === 'string') c.header('location', look);
  const text = JSON.stringify(document);
  if (c.req.method !== 'GET') return c.body(text, status, { 'content-type': 'application/json' });
  // The time of an answer is another each time, and nothing has changed by that.
  const { at: _, ...lasting } = document as Readonly<Record<string, unknown>>;
  return ifChanged(c, { text, etag: etagOf(JSON.stringify(lasting)) });
}

/** The answer to a program that may have it already. */
function ifChanged(c: Context<AppEnv>, { text, etag }: { readonly text: string; readonly etag: string }) {
  c.header('etag', etag);
  const etags = c.req.header('if-none-match')?.split(',') ?? [];
  if (etags.some((tag) => tag.trim() === etag || tag.trim() === '*')) return c.body(null, 304);
  return c.body(text, 200, { 'content-type': 'application/json' });
}

/** Weak, because the time of the answer is no part of it. */
function etagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url')}"`;
}

function unanswered(status: 403 | 404 | 405, subject: string, message: string, hint: string): RequestRefusal {
  return new RequestRefusal(status, { operation: 'answer the request', subject, message, hint });
}
