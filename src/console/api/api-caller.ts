import type { IncomingMessage } from 'node:http';
import { tokenPerson } from '../../actions/access/tokens.js';
import type { ActionContext } from '../../actions/context.js';
import type { Person } from '../../domain/access/role.js';
import type { Clock } from '../../domain/clock.js';
import { clientAddress, requiresSignIn } from '../identity/identify-user.js';
import { RequestRefusal } from '../work/status-of.js';

const WINDOW_MS = 60_000;
/** Some hundred kilobytes. */
const MAX_CALLERS = 5_000;

/** Counts the requests of each caller in windows of a minute, in this process; at most `max` are allowed. @param name for programs. */
export function rateLimit(clock: Clock, name: string, max: number) {
  const counts = new Map<string, number>();
  let endsAtMs = 0;
  return {
    count(caller: string) {
      const nowMs = clock.monotonicMs();
      if (nowMs >= endsAtMs || counts.size >= MAX_CALLERS) {
        counts.clear();
        endsAtMs = nowMs + WINDOW_MS;
      }
      const count = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, count);
      const resetS = Math.ceil((endsAtMs - nowMs) / 1_000);
      return {
        isOver: count > max,
        resetS,
        headers: {
          'ratelimit-policy': `"${name}";q=${max};w=${WINDOW_MS / 1_000}`,
          ratelimit: `"${name}";r=${Math.max(0, max - count)};t=${resetS}`,
        },
      };
    },
  };
}

type Counted = ReturnType<ReturnType<typeof rateLimit>['count']>;

/** A program that reads everything needs a few hundred; a loop without a pause has many more, and would keep people waiting. */
const MAX_REQUESTS = 1_200;

/** A token can't be guessed: this bounds the cost of trying, and shows that a forgotten job still runs. */
const MAX_WRONG_TOKENS = 20;

/**
 * Identifies programs by their tokens; `headers` say how many requests one has left. Throws RequestRefusal for a request without a valid
 * token, and for one too many. A browser's session is none, so that no page can make a browser call. @param account of a program without
 * a token where registrar.yaml names no user; null: other machines reach the console, and each program needs a token.
 */
export function apiCallers(context: () => ActionContext, account: string | null) {
  const { clock } = context();
  const requests = rateLimit(clock, 'requests', MAX_REQUESTS);
  // A valid token is never counted here, so that no program is locked out by another's mistake.
  const wrong = rateLimit(clock, 'wrong-tokens', MAX_WRONG_TOKENS);
  const counted = (person: Person) => {
    const count = requests.count(person.name);
    if (!count.isOver) return { person, headers: count.headers };
    throw tooMany('more requests came from this program than the limit allows', count);
  };
  return async (request: IncomingMessage) => {
    const { console } = context().config;
    const { authorization } = request.headers;
    if (authorization === undefined) {
      const isBrowser = OF_BROWSERS.some((name) => request.headers[name] !== undefined);
      if (account === null || requiresSignIn(console) || isBrowser)
        throw unknown('the request carries no token');
      return counted({ name: account, role: 'operator' });
    }
    const [, secret] = /^Bearer +([\w-]{1,200})$/i.exec(authorization) ?? [];
    const person = secret === undefined ? null : await tokenPerson(context(), secret);
    if (person !== null) return counted(person);
    const count = wrong.count(clientAddress(console, request));
    if (count.isOver) throw tooMany('too many requests with wrong tokens came from this address', count);
    throw unknown('the token is not valid', count.headers);
  };
}

/** Headers of browsers, of which each of their requests has one, and a program's none. */
const OF_BROWSERS = ['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-dest'] as const;

const ABOUT = { operation: 'authenticate', subject: 'Authorization' };

function unknown(message: string, limits: Readonly<Record<string, string>> = {}): RequestRefusal {
  const hint = 'Send the header "Authorization: Bearer TOKEN"; registrar token add makes a token.';
  const headers = { 'www-authenticate': 'Bearer realm="registrar"', ...limits };
  return new RequestRefusal(401, { ...ABOUT, message, hint }, { headers });
}

function tooMany(message: string, { resetS, headers }: Counted): RequestRefusal {
  const details = { ...ABOUT, message, hint: `Try again in ${resetS} seconds.` };
  return new RequestRefusal(429, details, { headers: { 'retry-after': String(resetS), ...headers } });
}
