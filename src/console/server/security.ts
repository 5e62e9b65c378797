import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { isLoopback } from '../../config/values/network/address.js';

/** Nothing is loaded from elsewhere, nothing inline runs, and no other page shows this one in a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Of every answer. A page isn't kept by any cache unless its route says so. */
export function securityHeaders(isSecure: boolean): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    const defaults: Readonly<Record<string, string>> = {
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    };
    for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value);
  };
}

/**
 * Refuses a request that names another host: a page elsewhere whose name was made to point here could otherwise read this one.
 * @param url where browsers reach the console; null: on this machine alone. @param isByAddress true where other machines read by any
 *   address: a browser that was led here by a changed name has that name in its request.
 */
export function requireHost(url: string | null, isByAddress = false): MiddlewareHandler {
  const own = url === null ? null : new URL(url).host;
  return async (c, next) => {
    const host = c.req.header('host') ?? '';
    const isAddress = isIP(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) !== 0;
    if (isOwnHost(host, own) || (isByAddress && isAddress)) return next();
    return c.text('This console has another address.\n', 421);
  };
}

function isOwnHost(host: string, own: string | null): boolean {
  if (own !== null && host.toLowerCase() === own) return true;
  const address = `http://${host}`;
  // By a forwarded port a person reaches it at another one, but under a name of this machine.
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(address) && isLoopback(new URL(address).hostname);
}

/** True for a request of another origin's page. Browsers say where a form comes from; a program that says nothing lacks the token. */
export function isCrossOrigin(c: Context): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const origin = c.req.header('origin');
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== c.req.header('host')?.toLowerCase();
}
