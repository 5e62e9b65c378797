import { type ActionContext, inPlace } from '../actions/context.js';
import { tidyUploads } from '../actions/uploads.js';
import type { ConsoleConfig } from '../config/schema/console-schema.js';
import { isLoopback } from '../config/values/network/address.js';
import { isLocalAddress, type ListenAddress, listenText } from '../config/values/network/listen-address.js';
import { systemClock } from '../domain/clock.js';
import { errorsOf } from '../domain/operator-error.js';
import { type AppParts, consoleApp } from './app.js';
import { cookiesOf } from './identity/browser-secret.js';
import { requiresSignIn } from './identity/identify-user.js';
import type { QueryPool } from './queries/query-pool.js';
import { serveAt } from './server/listen.js';
import { providerLogIn } from './sign-in/oidc.js';
import { isInRanges } from './sign-in/proxy.js';
import type { ConsoleContext } from './work/console-context.js';

export interface ConsoleParts extends Pick<AppParts, 'monitor' | 'uploads' | 'onFailure' | 'onRefused'> {
  readonly listen: ListenAddress;
  /** Read again each time, because the configuration may be reloaded. */
  readonly context: () => ActionContext;
  readonly queryPool: QueryPool;
  readonly reload: () => Promise<void>;
  /** The account that runs this process: the user on this machine, where registrar.yaml names none. */
  readonly account: string;
}

/**
 * Serves the pages and the HTTP interface. `url`: where browsers reach it; `address`: where it listens. Throws OperatorError where it
 * can't listen there, and where people of other machines would reach it and registrar.yaml doesn't say who may come in.
 */
export async function startConsole(parts: ConsoleParts) {
  const { listen, queryPool, onFailure } = parts;
  // A ledger that was moved away can still be written to: what people decide would be lost with it.
  const actionContext = () => inPlace(parts.context());
  const { config } = actionContext();
  // Browsers and their connections live by the machine's time, whatever clock the work has.
  const network = systemClock();
  requireAccess(listen, config.console);
  const { tls, url = null } = config.console;
  const account = isReached(listen, config.console) ? null : parts.account;
  const isSecure = tls !== undefined || url?.startsWith('https:') === true;
  const scheme = tls === undefined ? 'http' : 'https';
  const over = new AbortController();
  const going = new Set<Promise<unknown>>();
  const context: ConsoleContext = {
    actionContext,
    query: queryPool.query,
    reload: parts.reload,
    inBackground(name, work) {
      const one = work(over.signal).catch((error: unknown) => onFailure(error, name));
      going.add(one);
      void one.finally(() => going.delete(one));
    },
    started: { runs: new Map(), lines: new Map() },
  };
  context.inBackground('remove old uploads', () => tidyUploads(actionContext()));
  let port = listen.port;
  // An address that means all of this machine's is reached under one of them.
  const host = ['0.0.0.0', '::'].includes(listen.host) ? '127.0.0.1' : listen.host;
  const addressHere = () => listenText({ host, port });
  const here = () => `${scheme}://${addressHere()}`;
  const provider = providerLogIn(actionContext, network, () => url ?? here());
  const app = consoleApp({
    ...parts,
    ...{ context, network, account, provider, url, isSecure },
    cookies: cookiesOf(isSecure, () => port),
    name: () => parts.context().config.console.name ?? null,
  });
  const isProxy = (address: string) =>
    isInRanges(actionContext().config.console.proxy?.addresses ?? [], address);
  const server = await serveAt(app.fetch, listen, tls ?? null, undefined, isProxy);
  port = server.port;
  return {
    url: url ?? here(),
    address: addressHere(),
    /** Stops work in progress, as a signal does. */
    async close() {
      over.abort();
      await server.close();
      await Promise.all(going);
      await provider.close();
      await queryPool.close();
    },
  };
}

function requireAccess(listen: ListenAddress, settings: ConsoleConfig): void {
  if (mayServe(listen, settings)) return;
  const subject = listenText(listen);
  throw errorsOf('serve the console')(
    subject,
    `${isLocalAddress(subject) ? settings.url : subject} is reached from other machines, and registrar.yaml doesn't set ${requiresSignIn(settings) ? 'by which address' : 'who has access'}`,
    'Set console.url, and console.users (registrar user hash NAME --role ROLE), console.proxy or console.oidc; or listen at 127.0.0.1.',
  );
}

/** True on a local address, or if registrar.yaml configures sign-in. */
export function mayServe(listen: ListenAddress, settings: ConsoleConfig): boolean {
  return !isReached(listen, settings) || (requiresSignIn(settings) && settings.url !== undefined);
}

/** True where other machines reach it: where it listens, or where another server passes requests on. */
function isReached(listen: ListenAddress, { url }: ConsoleConfig): boolean {
  return !isLocalAddress(listenText(listen)) || (url !== undefined && !isLoopback(new URL(url).hostname));
}
