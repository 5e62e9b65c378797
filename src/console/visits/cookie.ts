import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

export type Cookies = ReturnType<typeof cookiesOf>;

/**
 * Reads and gives the secret of a browser, undefined where it has none.
 * Off this machine a cookie is `Secure` and bound to the host by its name. On this machine it bears the port, because browsers share cookies
 * between the ports of a host.
 */
export function cookiesOf(isSecure: boolean, port: () => number) {
  const name = () => (isSecure ? '__Host-registrar' : `registrar-${port()}`);
  return {
    secretOf: (c: Context) => getCookie(c, name()),
    give(c: Context, secret: string) {
      setCookie(c, name(), secret, { httpOnly: true, sameSite: 'Lax', secure: isSecure, path: '/' });
    },
  };
}

const ZONE_COOKIE = 'registrar-zone';

/** The reader's time zone; null where the browser has not said it, or says nonsense. */
export function zoneOf(c: Context): string | null {
  const zone = getCookie(c, ZONE_COOKIE);
  if (zone === undefined || zone.length > 60) return null;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
