import { onTestFinished } from 'vitest';
import type { ActionContext } from '../../src/actions/context.js';
import { inProcessQueries } from '../../src/console/queries/query-pool.js';
import { type ConsoleParts, startConsole } from '../../src/console/start-console.js';

/** A browser without a screen: it keeps cookies, follows no redirect, and sends forms as browsers do. */
export interface Visitor {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a form with the token of the page that was loaded last. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** The token of the page that was loaded last; '' where it had none. */
  readonly token: string;
  readonly cookies: Map<string, string>;
}

/** A console on a free port of this machine, for a ledger of a test. It reads on this thread. */
export async function testConsole(context: () => ActionContext, more: Partial<ConsoleParts> = {}) {
  const failures: unknown[] = [];
  const served = await startConsole({
    listen: { host: '127.0.0.1', port: 0 },
    context,
    queryPool: inProcessQueries(context),
    account: 'ada',
    reload: async () => {},
    monitor: null,
    onFailure: (error) => void failures.push(error),
    onRefused: () => {},
    ...more,
  });
  onTestFinished(() => served.close());
  return {
    url: served.url,
    address: served.address,
    failures,
    visitor: () => visitorOf(served.url),
    close: served.close,
  };
}

/** A person with a browser. */
function visitorOf(url: string): Visitor {
  const cookies = new Map<string, string>();
  let token = '';
  const ask = async (path: string, init: RequestInit) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const found = /name="token" value="([^"]+)"/.exec(await response.clone().text());
    if (found !== null) token = found[1] ?? '';
    return response;
  };
  return {
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, fields, headers = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams({ token, ...fields }), headers }),
    get token() {
      return token;
    },
    cookies,
  };
}
