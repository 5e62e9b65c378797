import { type Context, Hono } from 'hono';
import type { Clock } from '../../domain/clock.js';
import { once } from '../../domain/process/once.js';
import { documentPieces } from '../../report/text/document-pieces.js';
import type { AppEnv } from '../server/app-env.js';
import { askedOf } from '../server/asked-of.js';
import { streamOfPieces } from '../server/bodies/stream-of-pieces.js';
import { deskFor } from '../server/desk-for.js';
import type { Desk } from '../work/desk.js';
import type { ApiCallers } from './api-caller.js';
import { fileBodies, type WithFile } from './file-bodies.js';
import { openApi } from './open-api.js';
import type { ApiAnswer, ApiOperation, Asked } from './operation.js';
import { OPERATIONS } from './operations.js';
import { readBody, readQuery } from './read-request.js';
import { ApiRefusal, refusalOf } from './refusal.js';

/** What the interface is made of. */
export interface ApiParts {
  readonly desk: Desk;
  readonly callers: ApiCallers;
  readonly clock: Clock;
  /** Called for a bug, with the request. */
  readonly onFailure: (error: unknown, asked: string) => void;
}

const described = once(() => openApi(OPERATIONS));

/** The addresses below `/api/v1`, for programs: each of `OPERATIONS`, and the document that describes them. */
export function apiRoutes({ desk, callers, clock, onFailure }: ApiParts): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  const withFile = fileBodies(clock);
  const refused = (c: Context<AppEnv>, error: unknown) => {
    const { status, document } = refusalOf(error);
    if (status === 401) c.header('www-authenticate', 'Bearer realm="registrar"');
    if (status === 429) c.header('retry-after', '60');
    if (status === 500) onFailure(error, askedOf(c));
    return c.json(document, status);
  };
  api.onError((error, c) => refused(c, error));

  // Nothing in it is secret, and who writes a client needs it first.
  api.get('/openapi.json', (c) => c.json(described()));
  for (const operation of OPERATIONS) {
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
    const handle = async (c: Context<AppEnv>) =>
      shown(c, await answered(c, operation, { desk, callers, clock, withFile }));
    api.on(operation.method, path, handle);
  }
  api.all('*', async (c) => {
    await callers.who(c.env.incoming);
    return refused(c, noSuchAddress(c.req.method, c.req.path));
  });
  return api;
}

async function answered(
  c: Context<AppEnv>,
  operation: ApiOperation,
  { desk, callers, clock, withFile }: Omit<ApiParts, 'onFailure'> & { readonly withFile: WithFile },
): Promise<ApiAnswer> {
  const person = await callers.who(c.env.incoming);
  if (!operation.roles.includes(person.role)) throw notForRole(operation, person.role);
  const asked: Asked = {
    person,
    who: { name: person.name, door: 'console' },
    params: c.req.param() as Readonly<Record<string, string>>,
    query: readQuery(c.req, operation.query),
    body: null,
    desk: deskFor(person, desk),
    keepWaiting: () => void c.env.incoming.socket.setTimeout(0),
  };
  const { body } = operation;
  const carryOut = (sent: unknown) => operation.carryOut({ ...asked, body: sent } as Asked<never, never>);
  if (body === null) return carryOut(null);
  if (body !== 'file') return carryOut(await readBody(c, clock, body));
  return withFile(c, desk.context().config.console.largestUploadBytes, carryOut);
}

/** A long list is written as it is read, no faster than it is taken. */
function shown(c: Context<AppEnv>, { status, document, list }: ApiAnswer): Response {
  const headers = { 'content-type': 'application/json' };
  if (list === undefined) return c.body(JSON.stringify(document), status, headers);
  return c.body(streamOfPieces(documentPieces(document, list)), status, headers);
}

function notForRole({ method, path, roles }: ApiOperation, role: string): ApiRefusal {
  return new ApiRefusal(403, {
    operation: 'answer the request',
    subject: `${method.toUpperCase()} ${path}`,
    message: `it is not for the role ${role}`,
    hint: `It is for: ${roles.join(', ')}.`,
  });
}

function noSuchAddress(method: string, path: string): ApiRefusal {
  const others = OPERATIONS.filter((one) => matches(one.path, path.replace(/^\/api\/v1/, '')));
  const [first] = others;
  const about = { operation: 'answer the request', subject: `${method} ${path}` };
  if (first !== undefined) {
    const methods = others.map((one) => one.method.toUpperCase()).join(', ');
    return new ApiRefusal(405, {
      ...about,
      message: `${method} is not taken here`,
      hint: `It takes ${methods}.`,
    });
  }
  return new ApiRefusal(404, {
    ...about,
    message: 'there is no such address',
    hint: 'GET /api/v1/openapi.json lists all of them.',
  });
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith('{') || part === given[index])
  );
}
