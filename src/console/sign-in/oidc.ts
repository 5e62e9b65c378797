import type * as client from 'openid-client';
import type { ActionContext } from '../../actions/context.js';
import type { ConsoleConfig } from '../../config/schema/console-schema.js';
import type { Clock } from '../../domain/clock.js';
import { createHttp, type Http } from '../../platform/http.js';
import { refusal, type SignIn, withRole } from './sign-in.js';

export type ProviderLogIn = ReturnType<typeof providerLogIn>;

type OidcSignIn = ReturnType<typeof oidcSignIn>;

/** Long enough to find a second factor. */
const LIFETIME_MS = 10 * 60_000;

/** Sign-ins in progress; beyond this the oldest is dropped. */
const MAX_PENDING = 1_000;

const NOT_STARTED = refusal(
  'refused',
  'This sign-in wasn’t started in this browser, or has expired. Sign in again.',
);

/**
 * Sign-in at the provider that registrar.yaml names now. The state of a sign-in stays here, so that a browser holds nothing
 * of it but its own secret. @param url where browsers reach this console.
 */
export function providerLogIn(context: () => ActionContext, clock: Clock, url: () => string) {
  const pending = new Map<string, { kept: SignInState; to: string; untilMs: number }>();
  let used: { readonly settings: object; readonly signIn: OidcSignIn } | null = null;
  const signIn = async () => {
    const { console } = context().config;
    if (console.oidc === undefined) return null;
    if (used?.settings !== console) {
      await used?.signIn.close();
      const redirectUri = new URL('/log-in/done', url()).href;
      used = { settings: console, signIn: oidcSignIn(console, console.oidc, { clock, redirectUri }) };
    }
    return used.signIn;
  };
  return {
    /** Starts a sign-in for the browser with this secret, and returns the URL to redirect to. @param to the page to open afterwards. */
    async begin(secret: string, to: string) {
      const started = await (await signIn())?.begin();
      if (started === undefined) return { refusal: NOT_STARTED };
      if ('refusal' in started) return started;
      const [oldest] = pending.keys();
      if (pending.size >= MAX_PENDING && oldest !== undefined) pending.delete(oldest);
      const untilMs = clock.monotonicMs() + LIFETIME_MS;
      pending.set(keyOf(secret, new URL(started.url)), { kept: started.kept, to, untilMs });
      return { url: started.url };
    },
    async finish(secret: string | undefined, callback: URL) {
      const at = await signIn();
      const key = keyOf(secret ?? '', callback);
      const started = pending.get(key);
      pending.delete(key);
      if (at === null || started === undefined || clock.monotonicMs() > started.untilMs)
        return { refusal: NOT_STARTED };
      const result = await at.finish(callback.href, started.kept);
      return 'person' in result ? { person: result.person, to: started.to } : result;
    },
    close: async () => used?.signIn.close(),
  };
}

function keyOf(secret: string, { searchParams }: URL): string {
  return `${secret} ${searchParams.get('state') ?? ''}`;
}

/** Longest time that the provider may take for an answer, while the person sees an empty page. */
const DEADLINE_MS = 10_000;

const AGAIN = refusal('refused', 'The sign-in couldn’t be confirmed. Sign in again.');

const UNAVAILABLE = refusal(
  'unavailable',
  'The sign-in provider is unavailable. Try again in a minute, or contact the Registrar administrator.',
);

const UNKNOWN_HERE = refusal(
  'unavailable',
  'The sign-in provider doesn’t accept Registrar. Contact the Registrar administrator.',
);

/** What is kept of a sign-in that has begun: for the browser that began it, for some minutes and one use. */
export type SignInState = Readonly<Record<'state' | 'nonce' | 'verifier', string>>;

/**
 * The code flow of OpenID Connect with PKCE. The provider is first contacted at the first sign-in, and its metadata is read again after
 * each failure. @param redirectUri where it sends browsers back to, as it knows it.
 */
export function oidcSignIn(
  config: ConsoleConfig,
  oidc: NonNullable<ConsoleConfig['oidc']>,
  { clock, redirectUri }: { readonly clock: Clock; readonly redirectUri: string },
) {
  const http = createHttp(clock, false, { caFile: oidc.caFile });
  let discovering: Promise<client.Configuration> | null = null;
  const provider = () => {
    discovering ??= discover(oidc, http).catch((error: unknown) => {
      discovering = null;
      throw error;
    });
    return discovering;
  };
  return {
    /** @returns the address to lead the browser to, and what to keep until it comes back. */
    async begin() {
      const library = await import('openid-client');
      const verifier = library.randomPKCECodeVerifier();
      const [state, nonce] = [library.randomState(), library.randomNonce()];
      try {
        const url = library.buildAuthorizationUrl(await provider(), {
          redirect_uri: redirectUri,
          scope: oidc.scopes.join(' '),
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        });
        return { url: url.href, kept: { state, nonce, verifier } };
      } catch (error) {
        return { refusal: { ...UNAVAILABLE, detail: wordsOf(error) } };
      }
    },
    /** Ends it, with the answer that the browser has brought, of which only the query counts, and with what was kept. Each answer works once. */
    async finish(callbackUrl: string, kept: SignInState): Promise<SignIn> {
      const at = new URL(redirectUri);
      at.search = new URL(callbackUrl, redirectUri).search;
      try {
        const claims = [oidc.nameClaim, ...(oidc.rolesClaim === undefined ? [] : [oidc.rolesClaim])];
        return personIn(config, oidc, await claimsOf(await provider(), at, kept, claims));
      } catch (error) {
        const detail = wordsOf(error);
        if (isUnanswered(error)) return { refusal: { ...UNAVAILABLE, detail } };
        if (!/\b(invalid|unauthorized)_client\b/.test(detail)) return { refusal: { ...AGAIN, detail } };
        const why = 'clientId or clientSecret of console.oidc in registrar.yaml is wrong';
        return { refusal: { ...UNKNOWN_HERE, detail: `${detail}; ${why}` } };
      }
    },
    close: () => http.close(),
  };
}

async function discover(oidc: NonNullable<ConsoleConfig['oidc']>, http: Http): Promise<client.Configuration> {
  const library = await import('openid-client');
  const issuer = new URL(oidc.issuer);
  return library.discovery(
    issuer,
    oidc.clientId,
    undefined,
    authentication(library, oidc.clientSecret ?? ''),
    {
      [library.customFetch]: (url, options) => fetched(http, url, options),
      timeout: DEADLINE_MS / 1_000,
      // registrar.yaml has plain http for this machine alone.
      ...(issuer.protocol === 'http:' && { execute: [library.allowInsecureRequests] }),
    },
  );
}

/** Providers take the secret in one of two places; without a word about it in the one that the standard names first. */
function authentication(
  { ClientSecretBasic, ClientSecretPost }: typeof client,
  secret: string,
): client.ClientAuth {
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const way = ways.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    return way(secret)(server, ...rest);
  };
}

/** The provider is unavailable: no answer, or a server error. */
class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
}

/** Goes the way of all requests: with the proxy and the authorities of this network, bounded in time and size. */
async function fetched(http: Http, url: string, options: client.CustomFetchOptions): Promise<Response> {
  const { method, headers, body } = options;
  const request = { method, url, headers, body: body == null ? null : String(body) };
  const bounds = { deadlineMs: DEADLINE_MS, mayLeave: () => true, signal: options.signal };
  const { response, failure } = await http.exchange(request, bounds);
  if (failure !== null) throw new UnansweredError(failure.message);
  if (response.status >= 500) throw new UnansweredError(`it answers ${response.status}`);
  const { status, text } = response;
  return new Response([204, 205, 304].includes(status) ? null : text, { status, headers: response.headers });
}

/** The provider's claims about the person: in its signed token, and, where that lacks some, on request. */
async function claimsOf(
  provider: client.Configuration,
  at: URL,
  { state, nonce, verifier }: SignInState,
  names: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
  const tokens = await authorizationCodeGrant(provider, at, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims: Readonly<Record<string, unknown>> & { readonly sub?: string } = tokens.claims() ?? {};
  const hasAll = names.every((name) => claims[name] !== undefined);
  if (hasAll || claims.sub === undefined || provider.serverMetadata().userinfo_endpoint === undefined) {
    return claims;
  }
  return { ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
}

function personIn(
  config: ConsoleConfig,
  { nameClaim, rolesClaim }: NonNullable<ConsoleConfig['oidc']>,
  claims: Readonly<Record<string, unknown>>,
): SignIn {
  const name = claims[nameClaim];
  // Some providers write it as a text.
  if (nameClaim === 'email' && String(claims.email_verified ?? true) !== 'true') {
    const text = 'The provider hasn’t verified your e-mail address. Verify it there, then sign in again.';
    return { refusal: refusal('unnamed', text) };
  }
  const claimed = rolesClaim === undefined ? [] : [claims[rolesClaim]].flat();
  const groups = claimed.filter((group) => typeof group === 'string');
  return withRole(config, typeof name === 'string' ? name.trim() : '', groups);
}

function isUnanswered(error: unknown): boolean {
  if (error instanceof UnansweredError) return true;
  return error instanceof Error && error.cause !== undefined && isUnanswered(error.cause);
}

/** Codes and messages, which name no token: of the library, of the provider, and of what is behind them. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, error: type, cause } = error as Error & { readonly code?: unknown; readonly error?: unknown };
  const words = [error.message, ...[code, type].filter((one) => typeof one === 'string')];
  if (cause instanceof Error) words.push(wordsOf(cause));
  // The challenges of a WWW-Authenticate header.
  if (Array.isArray(cause))
    words.push(...cause.map((challenge) => String(challenge.parameters?.error ?? '')));
  return words.filter((word) => word !== '').join(': ');
}
