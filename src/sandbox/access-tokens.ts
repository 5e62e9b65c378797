import type { Random } from './seeded-random.js';

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

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens(lifetimeMs: number, random: Random) {
  const tokens = new Map<string, IssuedToken>();
  let issued = 0;
  return {
    issue(clientId: string, scopes: readonly string[], nowMs: number) {
      issued += 1;
      const token = `sandbox-${issued}-${hex(random)}${hex(random)}${hex(random)}${hex(random)}`;
      tokens.set(token, { clientId, scopes, endsMs: nowMs + lifetimeMs });
      return token;
    },
    /** The token of an `Authorization` header; null when there is none or it was never issued here. */
    find: (authorization: string | undefined) => tokens.get(bearer(authorization)) ?? null,
    /** Ends the token of an `Authorization` header before its time. */
    revoke(authorization: string | undefined) {
      const token = tokens.get(bearer(authorization));
      if (token) tokens.set(bearer(authorization), { ...token, endsMs: Number.NEGATIVE_INFINITY });
    },
  };
}

function bearer(authorization: string | undefined): string {
  return /^bearer ([^\s]+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

function hex(random: Random): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
