import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { sessionPerson } from '../../actions/access/sessions.js';
import type { ActionContext } from '../../actions/context.js';
import type { ConsoleConfig } from '../../config/schema/console-schema.js';
import { isInRanges, proxyPerson } from '../sign-in/proxy.js';
import type { SignIn } from '../sign-in/sign-in.js';

/** Sent by pages that update themselves: these requests don't keep a session alive. */
export const LIVE_UPDATE_HEADER = 'x-registrar-live';

export function requiresSignIn({ users, proxy, oidc }: ConsoleConfig): boolean {
  return users.length > 0 || proxy !== undefined || oidc !== undefined;
}

/**
 * Identifies people by their session, or by a trusted proxy's header; null: the console knows no such user. `hasSession`: the person has
 * signed in here, and so can sign out. @param account the user where registrar.yaml names none; null: other machines reach the console,
 * and then no user is known. @param secret of the browser's cookie. @param isUsed false where a page updates itself.
 */
export async function identifyUser(
  context: ActionContext,
  account: string | null,
  secret: string | undefined,
  { socket, headersDistinct }: IncomingMessage,
  isUsed: boolean,
): Promise<(SignIn & { readonly hasSession: boolean }) | null> {
  const { console } = context.config;
  // Also where it named a user until it was reloaded.
  if (!requiresSignIn(console))
    return account === null ? null : { person: { name: account, role: 'operator' }, hasSession: false };
  const person = secret === undefined ? null : await sessionPerson(context, secret, isUsed);
  if (person !== null) return { person, hasSession: true };
  const named = proxyPerson(console, socket.remoteAddress, headersDistinct);
  return named && { ...named, hasSession: false };
}

/**
 * The address of the client. Behind a trusted proxy it is the last one that this proxy has written; the addresses before it
 * may be forged.
 */
export function clientAddress(console: ConsoleConfig, { socket, headers }: IncomingMessage): string {
  const remote = socket.remoteAddress ?? '';
  if (console.proxy === undefined || !isInRanges(console.proxy.addresses, remote)) return remote;
  const last = String(headers['x-forwarded-for'] ?? '')
    .replace(/^.*,/s, '')
    .trim();
  return isIP(last) === 0 ? remote : last;
}
