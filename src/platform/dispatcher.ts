import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { Environment } from '../config/env-references.js';
import { isLoopback } from '../config/values/network/address.js';
import { proxySettings } from '../config/values/network/proxy.js';
import { trustWith } from './authorities.js';

/** Settings that decide which way a request goes, and which certificates it trusts. */
export interface Network {
  /** A file of authorities' certificates to trust beside those of Node.js; undefined: none. */
  readonly caFile?: string | undefined;
  /** The variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY; absent: those of the process. */
  readonly env?: Environment;
}

/** The proxy refused to open a tunnel, or couldn't be reached. The message names the proxy's host, never its password. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'PROXY';
}

export type Connections = ReturnType<typeof createConnections>;

/** @param options of every agent. */
export function createConnections(options: Agent.Options, { caFile, env = process.env }: Network) {
  const tls = caFile === undefined ? {} : { secureContext: trustWith(caFile, env) };
  const direct = new Agent({ ...options, connect: tls });
  const proxy = proxySettings(env);
  const proxied =
    proxy === null
      ? direct
      : new EnvHttpProxyAgent({
          ...options,
          connect: tls,
          // '' means no proxy; without it undici would read the environment itself. Plain http is used for this machine
          // alone.
          httpProxy: '',
          httpsProxy: proxy.address,
          noProxy: proxy.except,
          requestTls: tls,
          proxyTls: tls,
          clientFactory: (origin, more) => new TunnelPool(origin, more as Pool.Options),
        });
  return {
    /** The connections to a host: direct, or through the tunnel of a proxy. */
    to: ({ hostname }: URL): Dispatcher => (isLoopback(hostname) ? direct : proxied),
    async close() {
      await Promise.all([direct.destroy(), proxied === direct ? null : proxied.destroy()]);
    },
  };
}

/** Connections to the proxy: a failure before the tunnel exists is the proxy's. */
class TunnelPool extends Pool {
  // biome-ignore lint/suspicious/noExplicitAny: undici has one signature for promises and one for callbacks
  override connect(...args: any[]): any {
    const [tunnel] = args as [Dispatcher.ConnectOptions];
    return super.connect(tunnel).catch((error: Error & { code?: string }) => {
      const { host } = new URL(String(tunnel.origin));
      throw new ProxyError(`the proxy ${host}: ${error.message || (error.code ?? error.name)}`);
    });
  }
}
