import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, request as requestPlain, type Server } from 'node:http';
import { createServer as createSecureServer, request as requestSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import Provider, { type Configuration } from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** The provider's claims about the person who signs in; the typed name is the subject. */
export type Claims = (subject: string) => Readonly<Record<string, unknown>>;

export const CLIENT = { id: 'registrar', secret: 'a secret of the client' } as const;

/** A real provider on 127.0.0.1. */
export interface TestProvider {
  readonly issuer: string;
  /** Ends it; later requests meet a closed port. */
  stop(): Promise<void>;
  /** Begins it again at its address. */
  start(): Promise<void>;
}

/** @param isSecure with the certificate of the test authority. */
export async function oidcProvider(
  redirectUri: string,
  claims: Claims,
  { isSecure = false, more = {} }: { readonly isSecure?: boolean; readonly more?: Configuration } = {},
): Promise<TestProvider> {
  let answer: RequestListener = () => {};
  const listener: RequestListener = (request, response) => answer(request, response);
  let server = await listening(isSecure, 0, listener);
  const { port } = server.address() as AddressInfo;
  const issuer = `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...claims(subject) }),
    }),
    cookies: { keys: ['for tests alone'] },
    ...more,
  });
  answer = provider.callback();
  const stop = () => closed(server);
  onTestFinished(stop);
  return {
    issuer,
    stop,
    async start() {
      server = await listening(isSecure, port, listener);
    },
  };
}

async function listening(isSecure: boolean, port: number, listener: RequestListener): Promise<Server> {
  const server = isSecure
    ? createSecureServer({ cert: tlsFile('platform.pem'), key: tlsFile('platform.key.pem') }, listener)
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function tlsFile(name: string): Buffer {
  return readFileSync(fileURLToPath(new URL(`tls/${name}`, import.meta.url)));
}

/**
 * Does what a person's browser does at the provider: follows where it leads, signs in as `subject`, and consents.
 * @returns the address on which it leads back.
 */
export async function logInAtProvider(url: string, subject: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next: { url: string; form: string | null } = { url, form: null };
  for (let step = 0; step < 20; step += 1) {
    if (next.url.startsWith(redirectUri)) return next.url;
    const { status, location, html } = await fetchPage(next.url, next.form, cookies);
    if (location !== null) {
      next = { url: new URL(location, next.url).href, form: null };
    } else {
      const [, action] = /<form[^>]*action="([^"]+)"/.exec(html) ?? [];
      if (action === undefined) throw new Error(`the provider answers ${status}: ${html}`);
      const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
      const form = { prompt, ...(prompt === 'login' ? { login: subject, password: 'any' } : {}) };
      next = { url: new URL(action, next.url).href, form: new URLSearchParams(form).toString() };
    }
  }
  throw new Error('the provider leads in a circle');
}

interface Page {
  readonly status: number | undefined;
  readonly location: string | null;
  readonly html: string;
}

function fetchPage(url: string, form: string | null, cookies: Map<string, string>): Promise<Page> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const type = form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const options = { method: form === null ? 'GET' : 'POST', headers: { cookie, ...type } };
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:')
      ? requestSecure(url, { ...options, ca: tlsFile('authority.pem') })
      : requestPlain(url, options);
    request.on('error', reject).on('response', (response) => {
      for (const line of response.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      let html = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        html += text;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, location: response.headers.location ?? null, html }),
      );
    });
    request.end(form ?? undefined);
  });
}
