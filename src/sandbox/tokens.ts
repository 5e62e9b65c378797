import { jsonAnswer, type Refusal, refuse, type SandboxAnswer, type SandboxRequest } from './answer.js';
import type { Random } from './seeded-random.js';

/** Specification §4.3. */
export const TOKEN_PATH = '/oauth/token';

export interface SandboxClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

/** A token that was issued. It is kept after its end, so that a late request still counts for its client. */
export interface IssuedToken {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly endsMs: number;
}

export function createTokens(clients: readonly SandboxClient[], lifetimeMs: number, random: Random) {
  const tokens = new Map<string, IssuedToken>();
  const hex = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return {
    /** The client that a token request names; null where it names none that is known. */
    clientOf({ body }: SandboxRequest): SandboxClient | null {
      const claimed = new URLSearchParams(body ?? '').get('client_id');
      return clients.find(({ clientId }) => clientId === claimed) ?? null;
    },
    /** The token of an `Authorization` header; null when there is none or it was never issued here. */
    find: (authorization: string | undefined) => tokens.get(bearer(authorization)) ?? null,
    /** Ends the token of an `Authorization` header before its time. */
    revoke(authorization: string | undefined) {
      const token = tokens.get(bearer(authorization));
      if (token) tokens.set(bearer(authorization), { ...token, endsMs: Number.NEGATIVE_INFINITY });
    },
    /**
     * The specification shows neither grant type nor parameters; these are the publicly known ones: a form with
     * `client_credentials` and scopes by comma or space. Wrong credentials and a foreign scope are answered with 403.
     * @param client that the request names.
     */
    answer(request: SandboxRequest, client: SandboxClient | null, nowMs: number): SandboxAnswer | Refusal {
      if (request.method !== 'POST') return refuse(405, 'Tokens are obtained with POST.');
      if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? ''))
        return refuse(400, 'The token request must be form-encoded.');
      const form = new URLSearchParams(request.body ?? '');
      if (form.get('grant_type') !== 'client_credentials')
        return refuse(400, 'The grant type must be client_credentials.');
      if (!client || client.clientSecret !== form.get('client_secret'))
        return refuse(403, 'The client credentials are not valid.');
      const scopes = (form.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
      const foreign = scopes.find((scope) => !client.scopes.includes(scope));
      if (foreign !== undefined) return refuse(403, 'The client does not own the scope.', foreign);
      const token = `sandbox-${tokens.size + 1}-${hex()}${hex()}${hex()}${hex()}`;
      tokens.set(token, { clientId: client.clientId, scopes, endsMs: nowMs + lifetimeMs });
      const answer = jsonAnswer(200, {
        access_token: token,
        token_type: 'bearer',
        expires_in: Math.floor(lifetimeMs / 1000),
        scope: scopes.join(','),
      });
      return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
    },
  };
}

function bearer(authorization: string | undefined): string {
  return /^bearer ([^\s]+)$/i.exec(authorization ?? '')?.[1] ?? '';
}
