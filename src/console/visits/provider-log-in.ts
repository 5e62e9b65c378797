import type { ActionContext } from '../../actions/context.js';
import type { Clock } from '../../domain/clock.js';
import { type OidcSignIn, oidcSignIn, type SignInState } from '../sign-in/oidc.js';
import { refusal } from '../sign-in/sign-in.js';

export type ProviderLogIn = ReturnType<typeof providerLogIn>;

interface UnderWay {
  readonly kept: SignInState;
  readonly to: string;
  readonly untilMs: number;
}

/** As long as a person looks for a second factor. */
const LASTS_MS = 10 * 60_000;

/** The log-ins that are under way at a time; the oldest gives way. */
const MAX_UNDER_WAY = 1_000;

const NOT_BEGUN = refusal(
  'refused',
  'This sign-in wasn’t started in this browser, or has expired. Sign in again.',
);

/**
 * Sign-in at the provider that registrar.yaml names now. The state of a sign-in stays here, so that a browser holds nothing
 * of it but its own secret. @param url where browsers reach this console.
 */
export function providerLogIn(context: () => ActionContext, clock: Clock, url: () => string) {
  const underWay = new Map<string, UnderWay>();
  let used: { readonly settings: object; readonly signIn: OidcSignIn } | null = null;
  const signIn = async (): Promise<OidcSignIn | null> => {
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
    /** Begins a sign-in of the browser with this secret, and returns the address to lead it to. @param to where the person goes on. */
    async begin(secret: string, to: string) {
      const begun = await (await signIn())?.begin();
      if (begun === undefined) return { refusal: NOT_BEGUN };
      if ('refusal' in begun) return begun;
      const [oldest] = underWay.keys();
      if (underWay.size >= MAX_UNDER_WAY && oldest !== undefined) underWay.delete(oldest);
      const untilMs = clock.monotonicMs() + LASTS_MS;
      underWay.set(keyOf(secret, new URL(begun.url)), { kept: begun.kept, to, untilMs });
      return { url: begun.url };
    },
    /** Ends it, once. @param callback the address that the provider has sent the browser to. */
    async finish(secret: string | undefined, callback: URL) {
      const at = await signIn();
      const key = keyOf(secret ?? '', callback);
      const begun = underWay.get(key);
      underWay.delete(key);
      if (at === null || begun === undefined || clock.monotonicMs() > begun.untilMs)
        return { refusal: NOT_BEGUN };
      const result = await at.finish(callback.href, begun.kept);
      return 'person' in result ? { person: result.person, to: begun.to } : result;
    },
    async close() {
      await used?.signIn.close();
    },
  };
}

/** Two windows of a browser may sign in at a time. */
function keyOf(secret: string, { searchParams }: URL): string {
  return `${secret} ${searchParams.get('state') ?? ''}`;
}
