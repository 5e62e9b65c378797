import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { consoleSchema } from '../../../src/config/schema/console-schema.js';
import { oidcSignIn, type SignInState } from '../../../src/console/sign-in/oidc.js';
import type { SignIn } from '../../../src/console/sign-in/sign-in.js';
import { systemClock } from '../../../src/domain/clock.js';
import {
  CLIENT,
  type Claims,
  logInAtProvider,
  oidcProvider,
  type TestProvider,
} from '../../support/oidc-provider.js';
import { AUTHORITY_FILE } from '../../support/tls-server.js';

type OidcSignIn = ReturnType<typeof oidcSignIn>;

const REDIRECT = 'http://127.0.0.1:8480/sign-in/oidc';

const CLAIMS: Claims = (subject) => ({
  email: `${subject}@example.com`,
  email_verified: subject !== 'unverified',
  groups: subject === 'olga' ? ['staff', 'ops'] : ['staff'],
});

const ROLES = { operator: ['ada@example.com', 'group:ops'], viewer: ['staff'] };

// The provider says on the console that it is one for tests.
beforeEach(() => {
  for (const how of ['info', 'warn'] as const) vi.spyOn(console, how).mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());

function signIn(issuer: string, oidc: object = {}, roles: object = ROLES): OidcSignIn {
  const config = consoleSchema.parse({
    oidc: { issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, ...oidc },
    roles,
  });
  if (config.oidc === undefined) throw new Error('there is one');
  const made = oidcSignIn(config, config.oidc, { clock: systemClock(), redirectUri: REDIRECT });
  onTestFinished(() => made.close());
  return made;
}

async function begun(own: OidcSignIn): Promise<{ url: string; kept: SignInState }> {
  const begin = await own.begin();
  if ('refusal' in begin) throw new Error(begin.refusal.detail ?? begin.refusal.text);
  return begin;
}

async function through(own: OidcSignIn, subject: string): Promise<SignIn> {
  const { url, kept } = await begun(own);
  return own.finish(await logInAtProvider(url, subject, REDIRECT), kept);
}

const codeOf = (answer: SignIn) => ('refusal' in answer ? answer.refusal.code : null);

it('a person who signs in at the provider has the provider’s name for them, and the role of registrar.yaml', async () => {
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS);
  const own = signIn(issuer);
  expect(await through(own, 'ada')).toEqual({ person: { name: 'ada@example.com', role: 'operator' } });
  const other = signIn(issuer, {}, { others: 'viewer' });
  expect(await through(other, 'ada')).toEqual({ person: { name: 'ada@example.com', role: 'viewer' } });
});

it('the browser is redirected with a new challenge, state and nonce each time, and without the secret', async () => {
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS);
  const own = signIn(issuer);
  const [one, two] = [await begun(own), await begun(own)];
  const query = new URL(one.url).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    client_id: CLIENT.id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid email',
  });
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(query.get(name)).not.toBe(new URL(two.url).searchParams.get(name));
  expect(one.url).not.toContain(encodeURIComponent(CLIENT.secret));
  expect(Object.values(one.kept)).toEqual(Array(3).fill(expect.stringMatching(/^[\w-]{43}$/)));
});

it('groups give a role, and a person named like a group gets none', async () => {
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS);
  const groups = { scopes: ['openid', 'email', 'groups'], rolesClaim: 'groups' };
  expect(await through(signIn(issuer, groups), 'olga')).toEqual({
    person: { name: 'olga@example.com', role: 'operator' },
  });
  const bySubject = signIn(issuer, { nameClaim: 'sub' }, { operator: ['group:ops'] });
  expect(codeOf(await through(bySubject, 'ops'))).toBe('no-role');
  expect(codeOf(await through(bySubject, 'group:ops'))).toBe('no-role');
});

it('a person without a role gets a plain sentence, under their name', async () => {
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS);
  const text =
    'You’re signed in as eve@example.com, but don’t have access. Contact the Registrar administrator for a role.';
  expect(await through(signIn(issuer), 'eve')).toEqual({ refusal: { code: 'no-role', text, detail: null } });
});

it.each([
  ['an address that the provider has not verified', 'unverified', {}],
  ['a missing claim', 'ada', { nameClaim: 'preferred_username' }],
])('%s does not identify a visitor', async (_, subject, oidc) => {
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS);
  expect(codeOf(await through(signIn(issuer, oidc, { others: 'operator' }), subject))).toBe('unnamed');
});

it('an answer works once, with its own state, nonce and verifier alone', async () => {
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS);
  const own = signIn(issuer);
  // What was kept for another browser is as wrong as any of its parts.
  for (const part of ['state', 'nonce', 'verifier'] as const) {
    const { url, kept } = await begun(own);
    const other = (await begun(own)).kept;
    const back = await logInAtProvider(url, 'ada', REDIRECT);
    expect(codeOf(await own.finish(back, { ...kept, [part]: other[part] }))).toBe('refused');
  }
  const { url, kept } = await begun(own);
  const back = await logInAtProvider(url, 'ada', REDIRECT);
  expect(codeOf(await own.finish(back, kept))).toBeNull();
  expect(codeOf(await own.finish(back, kept))).toBe('refused');
});

it.each(['?error=access_denied&state=STATE', '?code=guessed&state=STATE', '?state=STATE', ''])(
  'an answer %j admits no visitor',
  async (query) => {
    const { issuer } = await oidcProvider(REDIRECT, CLAIMS);
    const own = signIn(issuer);
    const { kept } = await begun(own);
    const back = `${REDIRECT}${query.replace('STATE', kept.state)}`;
    const answer = await own.finish(back, kept);
    expect(answer).toMatchObject({
      refusal: { code: 'refused', text: 'The sign-in couldn’t be confirmed. Sign in again.' },
    });
    expect(JSON.stringify(answer)).not.toContain(CLIENT.secret);
  },
);

it('a wrong secret is reported to the operator, and no detail shows it', async () => {
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS);
  const answer = await through(signIn(issuer, { clientSecret: 'hunter2hunter2' }), 'ada');
  expect(answer).toMatchObject({
    refusal: {
      code: 'unavailable',
      detail: expect.stringContaining('invalid_client; clientId or clientSecret of'),
    },
  });
  expect(JSON.stringify(answer)).not.toContain('hunter2');
});

it('a provider that is down is reported, and tried again', async () => {
  const provider: TestProvider = await oidcProvider(REDIRECT, CLAIMS);
  const own = signIn(provider.issuer);
  await provider.stop();
  expect(await own.begin()).toMatchObject({
    refusal: { code: 'unavailable', detail: expect.stringContaining('ECONNREFUSED') },
  });
  await provider.start();
  const { url, kept } = await begun(own);
  const back = await logInAtProvider(url, 'ada', REDIRECT);
  await provider.stop();
  expect(codeOf(await own.finish(back, kept))).toBe('unavailable');
  await provider.start();
  expect(codeOf(await own.finish(back, kept))).toBeNull();
});

it('answers of an impostor of the provider are refused', async () => {
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS);
  const document = await (await fetch(`${issuer}/.well-known/openid-configuration`)).text();
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(document);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await signIn(`http://127.0.0.1:${port}`).begin()).toMatchObject({
    refusal: { code: 'unavailable' },
  });
});

it('a provider with a certificate of a private authority is trusted by caFile alone', async () => {
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS, { isSecure: true });
  expect(await signIn(issuer).begin()).toMatchObject({ refusal: { code: 'unavailable' } });
  const own = signIn(issuer, { caFile: AUTHORITY_FILE });
  expect(await through(own, 'ada')).toEqual({ person: { name: 'ada@example.com', role: 'operator' } });
});

it('a provider that takes the secret in the body gets it there', async () => {
  const more = {
    clientAuthMethods: ['client_secret_post' as const],
    clientDefaults: { token_endpoint_auth_method: 'client_secret_post' as const },
  };
  const { issuer } = await oidcProvider(REDIRECT, CLAIMS, { more });
  expect(codeOf(await through(signIn(issuer), 'ada'))).toBeNull();
});
