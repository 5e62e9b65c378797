import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** The prefix of every secret here; no word of any language has it. */
export const CANARY = 'Qanaria';

/**
 * How the platform misbehaves: each manner gives away whatever secrets it knows, wherever an answer has room. The name
 * is the first part of the path, so that an environment chooses its manner by its addresses. Manners that begin with
 * `token-` are the token host's; with the others it grants a token, and says more than it should.
 */
export type Manner = keyof typeof API_MANNERS | keyof typeof TOKEN_MANNERS;

export interface EchoingPlatform {
  /** Both addresses of the environment that gets this manner. */
  addresses(manner: Manner): { readonly baseUrl: string; readonly authUrl: string };
  /** Manners that a request has met so far, of those that give away anything. */
  readonly met: ReadonlySet<string>;
}

/** Starts the platform, until the test ends. */
export async function echoingPlatform(): Promise<EchoingPlatform> {
  const met = new Set<string>();
  const secrets = new Map<string, string>();
  const tokens = new Map<string, string>();
  let granted = 0;
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  // For answers whose headers aren't HTTP.
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const [, manner = ''] = (request.url ?? '').split('/');
    const isTokenRequest = request.url?.endsWith('/oauth/token') === true;
    if (isTokenRequest) {
      granted += 1;
      tokens.set(manner, `${CANARY}Token/+="${granted}`);
      secrets.set(manner, new URLSearchParams(body).get('client_secret') ?? '');
    }
    const known: Known = {
      secret: secrets.get(manner) ?? '',
      token: tokens.get(manner) ?? '',
      requestText: textOfRequest(request, body),
    };
    const respond = isTokenRequest
      ? (TOKEN_MANNERS[manner as keyof typeof TOKEN_MANNERS] ?? grant)
      : API_MANNERS[manner as keyof typeof API_MANNERS];
    if (respond !== grant) met.add(manner);
    respond?.(response, known);
  }

  return {
    met,
    addresses: (manner) => {
      const url = `http://127.0.0.1:${port}/${manner}`;
      return { baseUrl: url, authUrl: url };
    },
  };
}

/** What the platform knows of the environment that calls it. */
interface Known {
  readonly secret: string;
  readonly token: string;
  /** The request's own headers and body. */
  readonly requestText: string;
}

type Respond = (response: ServerResponse, known: Known) => void;

const grant: Respond = (response, { secret, token, requestText }) => {
  const more = {
    refresh_token: `${CANARY}Refresh`,
    id_token: `${CANARY}Identity`,
    client_secret: secret,
    heard: requestText,
  };
  json(response, 200, { access_token: token, token_type: 'bearer', expires_in: '3600', ...more });
};

const API_MANNERS = {
  refused: (response, known) => json(response, 400, errorOf(known, secretForms(known))),
  'unknown-learner': (response, known) =>
    json(response, 400, errorOf(known, `Invalid user identifier: ${secretForms(known)}`)),
  conflict: (response, known) =>
    json(response, 409, { ...errorOf(known, secretForms(known)), heard: known.requestText }),
  failed: (response, known) => json(response, 500, errorOf(known, secretForms(known))),
  throttled: (response, known) => {
    response.setHeader('retry-after', known.token);
    json(response, 429, errorOf(known, secretForms(known)));
  },
  unauthorized: (response, known) => {
    response.setHeader('www-authenticate', `Bearer ${known.token}`);
    json(response, 401, errorOf(known, secretForms(known)));
  },
  forbidden: (response, known) => json(response, 403, errorOf(known, secretForms(known))),
  redirected: (response, known) => redirect(response, known),
  page: (response, known) => page(response, 200, known),
  accepted: (response, known) => {
    for (const name of ['x-request-id', 'x-correlation-id', 'x-rate-limit-reset']) {
      response.setHeader(name, secretForms(known));
    }
    json(response, 201, {
      data: { id: secretForms(known), type: 'completions', attributes: secretForms(known) },
    });
  },
  'cut-off': (response, known) => cut(response, 201, `{"data":{"id":"7","heard":"${known.token}`),
  overflowing: (response, known) => {
    response.setHeader('x-much', known.token.repeat(2_000));
    json(response, 200, {});
  },
  garbled: (response, known) => garble(response, known),
} as const satisfies Readonly<Record<string, Respond>>;

const TOKEN_MANNERS = {
  'token-refused': (response, known) => json(response, 403, errorOf(known, secretForms(known))),
  'token-failed': (response, known) =>
    json(response, 500, { error: secretForms(known), heard: known.requestText }),
  'token-throttled': (response, known) => {
    response.setHeader('retry-after', known.secret.replace(/[^\x20-\x7e]/g, '?'));
    json(response, 429, errorOf(known, secretForms(known)));
  },
  'token-redirected': (response, known) => redirect(response, known),
  'token-page': (response, known) => page(response, 200, known),
  // Blanks: no header can hold it.
  'token-odd': (response, known) =>
    json(response, 200, { access_token: secretForms(known), expires_in: known.secret }),
  'token-cut': (response, known) => cut(response, 200, JSON.stringify({ access_token: known.token })),
  'token-garbled': (response, known) => garble(response, known),
} as const satisfies Readonly<Record<string, Respond>>;

/** Every manner there is. */
export const MANNERS = [...Object.keys(API_MANNERS), ...Object.keys(TOKEN_MANNERS)] as Manner[];

/** Both secrets in each form that a text may have in transit. The body adds JSON's own form. */
function secretForms({ secret, token }: Known): string {
  const forms = [secret, token].flatMap((text) => [
    text,
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
    encodeURIComponent(encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase())),
    JSON.stringify(JSON.stringify(text)).replaceAll('/', '\\/'),
    text.replace(/\W/g, (character) => `&#${character.codePointAt(0)};`),
    Buffer.from(text).toString('base64'),
    Buffer.from(`client:${text}`).toString('base64url'),
  ]);
  // Headers take no letters beyond Latin-1, and the test has only one.
  return forms.join(' | ');
}

function textOfRequest(request: IncomingMessage, body: string): string {
  return `${request.rawHeaders.join('\n')}\n\n${body}`;
}

function errorOf(known: Known, detail: string): object {
  const entry = {
    id: known.token,
    code: known.secret,
    status: 400,
    title: known.secret,
    detail,
    source: known.token,
  };
  return { errors: [entry], heard: known.requestText };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function page(response: ServerResponse, status: number, known: Known): void {
  response.writeHead(status, { 'content-type': 'text/html' });
  response.end(`<!doctype html><title>${known.token}</title><p>${secretForms(known)}`);
}

function redirect(response: ServerResponse, { secret, token }: Known): void {
  const query = new URLSearchParams({ access_token: token, secret }).toString();
  response.writeHead(302, { location: `http://127.0.0.1:9/?${query}` });
  response.end(query);
}

function cut(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  response.write(body.slice(0, -Math.round(CANARY.length * 1.5)), () => response.destroy());
}

/** A header without a colon isn't HTTP; its reader may quote it. */
function garble(response: ServerResponse, { secret, token }: Known): void {
  response.socket?.end(`HTTP/1.1 200 ${token}\r\n${token} ${encodeURIComponent(secret)}\r\n\r\n${token}`);
}
