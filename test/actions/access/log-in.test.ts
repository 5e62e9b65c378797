import { expect, it } from 'vitest';
import { logIn } from '../../../src/actions/access/log-in.js';
import { hashPassword } from '../../../src/actions/access/password.js';
import { endSession, sessionPerson, startSession } from '../../../src/actions/access/sessions.js';
import { addToken, listTokens, revokeToken, tokenPerson } from '../../../src/actions/access/tokens.js';
import type { ActionContext } from '../../../src/actions/context.js';
import { consoleSchema } from '../../../src/config/schema/console-schema.js';
import { readPasswordHash } from '../../../src/domain/access/password-hash.js';
import { actionContext } from '../../support/action-context.js';
import { decider } from '../../support/decider.js';
import { stopwatch } from '../../support/growth.js';
import { hashedPassword } from '../../support/hashed-password.js';
import { type ManualClock, manualClock } from '../../support/manual-clock.js';
import { testLedger } from '../../support/staged-ledger.js';

const MINUTE_MS = 60_000;
const PASSWORD = 'correct hörse battery';
const ADA = { name: 'ada', role: 'operator' } as const;
const OIDC = { issuer: 'https://id.example', clientId: 'r', clientSecret: 's' };

const hash = hashedPassword(PASSWORD);
const otherHash = hashedPassword('another password');

function signInContext(settings: object = {}): { context: ActionContext; clock: ManualClock } {
  const clock = manualClock();
  return { context: configured(actionContext(testLedger(clock)), settings), clock };
}

/** The same open workspace, with a registrar.yaml that was changed. */
function configured(context: ActionContext, settings: object): ActionContext {
  const console = consoleSchema.parse({ users: [{ ...ADA, password: hash }], ...settings });
  return { ...context, config: { ...context.config, console } };
}

const from = (name: string, password: string, address = '10.0.0.1') => ({ name, password, address });

it('a hash names its parameters, differs each time, and takes memory to compute', async () => {
  const [one, two] = await Promise.all([hashPassword('x'), hashPassword('x')]);
  expect(one).not.toBe(two);
  expect(readPasswordHash(one)).toMatchObject({ n: 32_768, r: 8, p: 1 });
  const { context } = signInContext({ users: [{ ...ADA, password: one }] });
  expect(await logIn(context, from('ada', 'x'))).toEqual({ person: ADA });
});

it('a user signs in with name and password, under the name as registrar.yaml writes it', async () => {
  const { context } = signInContext();
  expect(await logIn(context, from('ada', PASSWORD))).toEqual({ person: ADA });
  expect(await logIn(context, from('ADA', PASSWORD))).toEqual({ person: ADA });
  // ö as two characters.
  expect(await logIn(context, from('ada', PASSWORD.normalize('NFD')))).toEqual({ person: ADA });
});

it.each([
  ['another password', 'ada', 'correct horse battery'],
  ['no password', 'ada', ''],
  ['the hash itself', 'ada', 'HASH'],
  ['an unknown name', 'eve', PASSWORD],
  ['no name', '', PASSWORD],
  ['a password with trailing text', 'ada', `${PASSWORD}${'x'.repeat(2_000)}`],
])('%s does not sign in, and the answer doesn’t say what was wrong', async (_, name, password) => {
  const { context } = signInContext();
  const request = from(name, password.replace('HASH', hash));
  expect(await logIn(context, request)).toEqual({ refused: 'wrong', retryAfterMs: 0 });
});

it('an unknown name takes as long as a known one', async () => {
  const { context } = signInContext();
  const took = async (name: string) => {
    const tookMs = stopwatch();
    await logIn(context, from(name, 'wrong'));
    return tookMs();
  };
  const times = [await took('ada'), await took('eve'), await took('ada'), await took('eve')];
  const [known, unknown] = [0, 1].map((who) => Math.min(...times.filter((_, n) => n % 2 === who))) as [
    number,
    number,
  ];
  expect(unknown).toBeGreaterThan(known / 3);
  expect(unknown).toBeLessThan(known * 3);
});

it('five wrong passwords lock sign-in until the first of them is 15 minutes old', async () => {
  const { context, clock } = signInContext();
  for (let n = 0; n < 5; n += 1) await logIn(context, from('ada', 'wrong'));
  clock.pass(MINUTE_MS);
  expect(await logIn(context, from('Ada', PASSWORD))).toEqual({
    refused: 'limited',
    retryAfterMs: 14 * MINUTE_MS,
  });
  clock.pass(14 * MINUTE_MS);
  expect(await logIn(context, from('ada', PASSWORD))).toEqual({ person: ADA });
});

it('concurrent sign-ins neither bypass the limits nor exhaust memory', async () => {
  const { context } = signInContext();
  const wrong = await Promise.all(Array.from({ length: 40 }, () => logIn(context, from('ada', 'wrong'))));
  const kinds = wrong.map((answer) => ('refused' in answer ? answer.refused : 'in'));
  expect(kinds.filter((kind) => kind === 'wrong')).toHaveLength(5);
  const others = await Promise.all(
    Array.from({ length: 40 }, (_, n) => logIn(context, from(`user${n}`, 'wrong', `10.1.0.${n}`))),
  );
  const looked = others.filter((answer) => 'refused' in answer && answer.refused === 'wrong');
  expect(looked).toHaveLength(12);
  expect(others.filter((answer) => 'refused' in answer && answer.retryAfterMs === 1_000)).toHaveLength(28);
});

it('a session identifies a person until it ends', async () => {
  const { context, clock } = signInContext();
  const { secret, expiresAt } = await startSession(context, ADA, 'password');
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(Date.parse(expiresAt)).toBe(clock.nowMs() + 12 * 60 * MINUTE_MS);
  expect(await sessionPerson(context, secret)).toEqual(ADA);
  expect(await sessionPerson(context, `${secret.slice(0, -1)}_`)).toBeNull();
  expect(await sessionPerson(context, '')).toBeNull();
  await endSession(context, secret);
  expect(await sessionPerson(context, secret)).toBeNull();
});

it('a page that refreshes by itself doesn’t count as use, and what a person does counts', async () => {
  const { context, clock } = signInContext();
  const { secret } = await startSession(context, ADA, 'password');
  clock.pass(40 * MINUTE_MS);
  expect(await sessionPerson(context, secret, false)).toEqual(ADA);
  clock.pass(25 * MINUTE_MS);
  expect(await sessionPerson(context, secret)).toBeNull();
  const { secret: used } = await startSession(context, ADA, 'password');
  clock.pass(40 * MINUTE_MS);
  expect(await sessionPerson(context, used)).toEqual(ADA);
  clock.pass(25 * MINUTE_MS);
  expect(await sessionPerson(context, used)).toEqual(ADA);
});

it('a user has the current role of registrar.yaml, and is signed out by removal or a new password', async () => {
  const { context } = signInContext();
  const { secret } = await startSession(context, ADA, 'password');
  const user = { ...ADA, password: hash };
  const now = (users: readonly object[]) => sessionPerson(configured(context, { users }), secret);
  expect(await now([{ ...user, role: 'viewer' }])).toEqual({ name: 'ada', role: 'viewer' });
  expect(await now([])).toBeNull();
  expect(await now([{ ...user, password: otherHash }])).toBeNull();
  expect(await now([user])).toEqual(ADA);
});

it('a person from a provider keeps the role of the sign-in, as long as there is a provider', async () => {
  const { context } = signInContext({ oidc: OIDC });
  const person = { name: 'bob@example.com', role: 'auditor' } as const;
  const { secret } = await startSession(context, person, 'oidc');
  expect(await sessionPerson(context, secret)).toEqual(person);
  expect(await sessionPerson(configured(context, {}), secret)).toBeNull();
});

it('a token identifies a program until it is revoked, and its secret is never listed', async () => {
  const { context } = signInContext();
  const billing = { name: 'billing', role: 'viewer' } as const;
  const { secret } = await addToken(context, billing, decider('ada'));
  expect(await tokenPerson(context, secret)).toEqual(billing);
  expect(await tokenPerson(context, 'guessed')).toBeNull();
  await revokeToken(context, 'billing', decider('bob'));
  expect(await tokenPerson(context, secret)).toBeNull();
  const listed = await listTokens(context);
  expect(listed).toMatchObject([{ ...billing, added: decider('ada'), revoked: decider('bob') }]);
  expect(JSON.stringify(listed)).not.toContain(secret);
});

it.each([
  ['billing', 'a token "billing" already exists'],
  ['Ada', '"Ada" is a person who signs in'],
  ['a b', '"a b" is not a valid name'],
])('a token is not created under the name %s', async (name, message) => {
  const { context } = signInContext();
  await addToken(context, { name: 'billing', role: 'viewer' }, decider('ada'));
  await expect(addToken(context, { name, role: 'viewer' }, decider('ada'))).rejects.toThrow(message);
});

it('a token that doesn’t exist or is already revoked can’t be revoked', async () => {
  const { context } = signInContext();
  await addToken(context, { name: 'billing', role: 'viewer' }, decider('ada'));
  await expect(revokeToken(context, 'biling', decider('ada'))).rejects.toMatchObject({
    message: 'there is no token "biling"',
    hint: 'Valid tokens: billing.',
  });
  await revokeToken(context, 'billing', decider('ada'));
  await expect(revokeToken(context, 'billing', decider('ada'))).rejects.toThrow('is already revoked');
});
