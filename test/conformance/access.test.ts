import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findAnswer, storeAnswer } from '../../src/ledger/access/idempotent-responses.js';
import { closeSession, findSession, openSession } from '../../src/ledger/access/sessions.js';
import { findToken, readTokens, recordToken, withdrawToken } from '../../src/ledger/access/tokens.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { decider } from '../support/decider.js';
import { ENGINES } from './engines.js';

const MINUTE_MS = 60_000;
const LIMITS = { idleMs: 60 * MINUTE_MS, longestMs: 12 * 60 * MINUTE_MS };
const ADA = { name: 'ada', role: 'operator' } as const;
const BILLING = { name: 'billing', role: 'viewer' } as const;

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function logIn(ledger: Ledger, secret: string, person: { name: string; role: 'operator' } = ADA) {
  return openSession(ledger, hash(secret), { person, how: 'password', stamp: 's', ...LIMITS });
}

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a session is found by the hash of its secret, and by nothing else', async () => {
    const { ledger, clock } = await open();
    const { expiresAt } = await logIn(ledger, 'one');
    expect(Date.parse(expiresAt) - clock.nowMs()).toBe(LIMITS.longestMs);
    expect(await findSession(ledger, hash('one'), LIMITS)).toEqual({
      person: ADA,
      how: 'password',
      stamp: 's',
      expiresAt,
    });
    expect(await findSession(ledger, hash('two'), LIMITS)).toBeNull();
  });

  it('a session is over once it was idle for too long, and goes on as long as it is used', async () => {
    const { ledger, clock } = await open();
    await logIn(ledger, 'used');
    await logIn(ledger, 'idle');
    await clock.pass(59 * MINUTE_MS);
    expect(await findSession(ledger, hash('used'), LIMITS)).not.toBeNull();
    await clock.pass(MINUTE_MS);
    expect(await findSession(ledger, hash('idle'), LIMITS)).toBeNull();
    await clock.pass(57 * MINUTE_MS);
    expect(await findSession(ledger, hash('used'), LIMITS)).not.toBeNull();
  });

  it('a session ends at its maximum age, however much it is used', async () => {
    const { ledger, clock } = await open();
    await logIn(ledger, 'one');
    for (let hours = 1; hours < 12; hours += 1) {
      await clock.pass(59 * MINUTE_MS);
      expect(await findSession(ledger, hash('one'), LIMITS)).not.toBeNull();
    }
    await clock.pass(71 * MINUTE_MS);
    expect(await findSession(ledger, hash('one'), LIMITS)).toBeNull();
  });

  it('shortened limits apply to sessions that have begun', async () => {
    const { ledger, clock } = await open();
    await logIn(ledger, 'one');
    await clock.pass(10 * MINUTE_MS);
    expect(await findSession(ledger, hash('one'), { ...LIMITS, longestMs: 10 * MINUTE_MS })).toBeNull();
    expect(await findSession(ledger, hash('one'), { ...LIMITS, idleMs: 10 * MINUTE_MS })).toBeNull();
    expect(await findSession(ledger, hash('one'), LIMITS)).not.toBeNull();
  });

  it('a session that was ended is not found, and ending it again does nothing', async () => {
    const { ledger } = await open();
    await logIn(ledger, 'one');
    await logIn(ledger, 'two');
    await closeSession(ledger, hash('one'));
    await closeSession(ledger, hash('one'));
    expect(await findSession(ledger, hash('one'), LIMITS)).toBeNull();
    expect(await findSession(ledger, hash('two'), LIMITS)).not.toBeNull();
  });

  it('a new session deletes the sessions that are over', async () => {
    const { ledger, clock } = await open();
    await logIn(ledger, 'idle');
    await logIn(ledger, 'used');
    await clock.pass(59 * MINUTE_MS);
    await findSession(ledger, hash('used'), LIMITS);
    await clock.pass(MINUTE_MS);
    await logIn(ledger, 'new');
    // Whatever the limits, only stored sessions are found.
    const patient = { idleMs: 9e12, longestMs: 9e12 };
    const found = ['idle', 'used', 'new'].map((secret) => findSession(ledger, hash(secret), patient));
    expect((await Promise.all(found)).map((session) => session !== null)).toEqual([false, true, true]);
  });

  it('the time of a session’s last use is written at most once a minute', async () => {
    const { ledger, clock } = await open();
    const found = async (secret: string, idleMs: number) =>
      (await findSession(ledger, hash(secret), { ...LIMITS, idleMs })) !== null;
    for (const secret of ['within', 'after']) await logIn(ledger, secret);
    await clock.pass(MINUTE_MS - 1);
    expect(await found('within', LIMITS.idleMs)).toBe(true);
    await clock.pass(1);
    expect(await found('after', LIMITS.idleMs)).toBe(true);
    await clock.pass(1_000);
    // Only a use that was written makes a session younger.
    expect([await found('within', MINUTE_MS), await found('after', MINUTE_MS)]).toEqual([false, true]);
  });

  it('a token has its name and role until it is revoked, and stays listed with its creation and revocation', async () => {
    const { ledger, clock } = await open();
    const addedAt = new Date(clock.nowMs()).toISOString();
    expect(await recordToken(ledger, hash('secret'), BILLING, decider('ada'), null)).toBe(true);
    const added = { ...decider('ada'), at: addedAt };
    expect(await readTokens(ledger)).toEqual([
      { ...BILLING, added, lastUsedAt: null, expiresAt: null, revoked: null },
    ]);
    expect(await findToken(ledger, hash('secret'))).toEqual(BILLING);
    expect(await findToken(ledger, hash('other'))).toBeNull();
    await clock.pass(MINUTE_MS);
    expect(await withdrawToken(ledger, 'billing', decider('bob'))).toBe(true);
    expect(await findToken(ledger, hash('secret'))).toBeNull();
    const revoked = { ...decider('bob'), at: new Date(clock.nowMs()).toISOString() };
    expect(await readTokens(ledger)).toEqual([
      { ...BILLING, added, lastUsedAt: addedAt, expiresAt: null, revoked },
    ]);
    expect(await withdrawToken(ledger, 'billing', decider('eve'))).toBe(false);
    expect(await readTokens(ledger)).toMatchObject([{ revoked }]);
  });

  it('an expired token gives no access, and keeps its name until it is revoked', async () => {
    const { ledger, clock } = await open();
    const expiresAt = new Date(clock.nowMs() + MINUTE_MS).toISOString();
    await recordToken(ledger, hash('secret'), BILLING, decider('ada'), expiresAt);
    await clock.pass(MINUTE_MS - 1);
    expect(await findToken(ledger, hash('secret'))).toEqual(BILLING);
    await clock.pass(1);
    expect(await findToken(ledger, hash('secret'))).toBeNull();
    expect(await readTokens(ledger)).toMatchObject([{ expiresAt, revoked: null }]);
    expect(await recordToken(ledger, hash('second'), BILLING, decider('ada'), null)).toBe(false);
  });

  it('two valid tokens never share a name; the name of a revoked one is free', async () => {
    const { ledger } = await open();
    await recordToken(ledger, hash('first'), BILLING, decider('ada'), null);
    expect(await recordToken(ledger, hash('second'), BILLING, decider('ada'), null)).toBe(false);
    expect(await findToken(ledger, hash('second'))).toBeNull();
    await withdrawToken(ledger, 'billing', decider('ada'));
    expect(
      await recordToken(ledger, hash('third'), { ...BILLING, role: 'operator' }, decider('ada'), null),
    ).toBe(true);
    expect(await findToken(ledger, hash('third'))).toEqual({ ...BILLING, role: 'operator' });
    expect(await findToken(ledger, hash('first'))).toBeNull();
    expect((await readTokens(ledger)).map(({ revoked }) => revoked === null)).toEqual([false, true]);
  });

  it('the time of a token’s last use is written at most once a minute', async () => {
    const { ledger, clock } = await open();
    await recordToken(ledger, hash('secret'), BILLING, decider('ada'), null);
    const used = async () => {
      await findToken(ledger, hash('secret'));
      return Date.parse((await readTokens(ledger))[0]?.lastUsedAt ?? '');
    };
    const first = clock.nowMs();
    expect(await used()).toBe(first);
    await clock.pass(59_999);
    expect(await used()).toBe(first);
    await clock.pass(1);
    expect(await used()).toBe(first + MINUTE_MS);
  });

  it('the first answer for a key is kept for two days, and found after a newer one', async () => {
    const { ledger, clock } = await open();
    const first = { requestHash: hash('request'), status: 202, document: '{"run":1}' };
    expect(await findAnswer(ledger, hash('key'))).toBeNull();
    await storeAnswer(ledger, hash('key'), first);
    await storeAnswer(ledger, hash('key'), { ...first, status: 200 });
    await clock.pass(48 * 60 * MINUTE_MS);
    await storeAnswer(ledger, hash('other'), first);
    expect(await findAnswer(ledger, hash('key'))).toEqual(first);
    await clock.pass(1);
    await storeAnswer(ledger, hash('third'), first);
    expect(await findAnswer(ledger, hash('key'))).toBeNull();
    expect(await findAnswer(ledger, hash('other'))).toEqual(first);
  });
});
