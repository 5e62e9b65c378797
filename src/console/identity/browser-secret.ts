import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { newSecret } from '../../actions/access/secret.js';

export type Cookies = ReturnType<typeof cookiesOf>;

/**
 * Reads and gives the secret of a browser; `ownSecret` gives one to a browser without. Off this machine a cookie is `Secure` and bound to
 * the host by its name; on it, it bears the port, because browsers share cookies between the ports of a host.
 */
export function cookiesOf(isSecure: boolean, port: () => number) {
  const name = () => (isSecure ? '__Host-registrar' : `registrar-${port()}`);
  const secretOf = (c: Context) => getCookie(c, name());
  const give = (c: Context, secret: string) => {
    setCookie(c, name(), secret, { httpOnly: true, sameSite: 'Lax', secure: isSecure, path: '/' });
    return secret;
  };
  return { secretOf, give, ownSecret: (c: Context) => secretOf(c) ?? give(c, newSecret().secret) };
}

/** What the forms of a browser carry: only a page that this server made for the holder of the cookie can have it. */
export function formTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url');
}

export function isFormToken(token: string | undefined, secret: string | undefined): boolean {
  if (token === undefined || secret === undefined || secret === '') return false;
  const [left, right] = [Buffer.from(token), Buffer.from(formTokenOf(secret))];
  return left.length === right.length && timingSafeEqual(left, right);
}
