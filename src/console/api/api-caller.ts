import type { IncomingMessage } from 'node:http';
import { tokenPerson } from '../../actions/access/tokens.js';
import type { ActionContext } from '../../actions/context.js';
import type { Person } from '../../domain/access/role.js';
import { asksWho, clientAddress } from '../visits/doorkeeper.js';
import { ApiRefusal } from './refusal.js';
import { wrongTokens } from './wrong-tokens.js';

/** Identifies the calling program. */
export interface ApiCallers {
  /** Throws ApiRefusal for a request without a valid token. */
  who(request: IncomingMessage): Promise<Person>;
}

/**
 * Identifies programs by their tokens. A session of a browser is none, so that no page can make a browser call.
 * @param account the identity of a program without a token where registrar.yaml names no user; null: other machines reach the
 *   console, and each program needs a token.
 */
export function apiCallers(context: () => ActionContext, account: string | null): ApiCallers {
  const wrong = wrongTokens(context().clock);
  return {
    async who(request) {
      const { config } = context();
      const { authorization } = request.headers;
      if (authorization === undefined) {
        if (account === null || asksWho(config.console) || isBrowser(request))
          throw unknown('the request carries no token');
        return { name: account, role: 'operator' };
      }
      const [, secret] = /^Bearer +([\w-]{1,200})$/i.exec(authorization) ?? [];
      const person = secret === undefined ? null : await tokenPerson(context(), secret);
      if (person !== null) return person;
      if (wrong.isTooMany(clientAddress(config.console, request))) throw tooMany();
      throw unknown('the token is not valid');
    },
  };
}

/** Headers of browsers, of which each of their requests has one, and a program's none. */
const OF_BROWSERS = ['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-dest'] as const;

function isBrowser({ headers }: IncomingMessage): boolean {
  return OF_BROWSERS.some((name) => headers[name] !== undefined);
}

function unknown(message: string): ApiRefusal {
  return new ApiRefusal(401, {
    operation: 'authenticate',
    subject: 'Authorization',
    message,
    hint: 'Send the header "Authorization: Bearer TOKEN"; registrar token add makes a token.',
  });
}

function tooMany(): ApiRefusal {
  return new ApiRefusal(429, {
    operation: 'authenticate',
    subject: 'Authorization',
    message: 'too many requests with wrong tokens came from this address',
    hint: 'Try again in a minute, with a valid token.',
  });
}
