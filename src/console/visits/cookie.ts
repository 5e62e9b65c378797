import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { newSecret } from './form-token.js';

export type Cookies = ReturnType<typeof cookiesOf>;

/**
 * Reads and gives the secret of a browser, undefined where it has none; `ownSecret` gives it one then.
 * Off this machine a cookie is `Secure` and bound to the host by its name. On this machine it bears the port, because browsers share cookies
 * between the ports of a host.
 */
export function cookiesOf(isSecure: boolean, port: () => number) {
  const name = () => (isSecure ? '__Host-registrar' : `registrar-${port()}`);
  const secretOf = (c: Context) => getCookie(c, name());
  const give = (c: Context, secret: string) => {
    setCookie(c, name(), secret, { httpOnly: true, sameSite: 'Lax', secure: isSecure, path: '/' });
    return secret;
  };
  return { secretOf, give, ownSecret: (c: Context) => secretOf(c) ?? give(c, newSecret()) };
}
