import { describe, expect, it } from 'vitest';
import { statsOf } from '../support/sandbox-stats.js';
import { drive, refusal } from './sandbox-driver.js';

const SMALL = { requests: 3, perMs: 60_000 };

describe('the quota (specification §8)', () => {
  it('the request after the last allowed one is a 429 in the words of the specification', () => {
    const { complete, platform } = drive();
    for (let n = 0; n < 70; n += 1) expect(complete().status).toBe(201);
    const answer = complete();
    expect(refusal(answer)).toMatchObject({
      code: 'quota-exceeded',
      status: 429,
      title: 'API calls quota exceeded.',
      detail: 'Maximum 70 requests allowed per 1m.',
    });
    expect(refusal(answer)).not.toHaveProperty('source');
    expect(statsOf(platform)).toMatchObject({ overQuota: 1, mostInAnyWindow: 71 });
  });

  it('requests over the quota change nothing on the platform', () => {
    const { complete, platform } = drive({ quota: { requests: 1, perMs: 60_000 } });
    complete();
    complete({ 'content-id': 'second' });
    expect(platform.completions()).toHaveLength(1);
  });

  it('the window opens at the first request and the request at its end opens the next', () => {
    const driver = drive({ quota: SMALL });
    driver.nowMs += 12_345;
    const opened = driver.nowMs;
    for (let n = 0; n < 3; n += 1) driver.complete();
    driver.nowMs = opened + 59_999;
    expect(driver.complete().status).toBe(429);
    driver.nowMs = opened + 60_000;
    expect(driver.complete().headers['x-rate-limit-remaining']).toBe('2');
  });

  it('all other answers say the period, what is left, and when the window closes', () => {
    const driver = drive();
    const headers = driver.complete().headers;
    expect(headers).toMatchObject({
      'x-rate-limit-limit': '1m',
      'x-rate-limit-remaining': '69',
      'x-rate-limit-reset': '2025-03-01T08:01:00.0000000Z',
    });
    expect(driver.complete({ 'user-id': '' }).headers['x-rate-limit-remaining']).toBe('68');
  });

  it.each([
    [0, '60'],
    [400, '60'],
    [600, '59'],
    [59_501, '0'],
  ])('%i ms into the window Retry-After is %s: whole seconds, rounded', (passedMs, expected) => {
    const driver = drive({ quota: SMALL });
    for (let n = 0; n < 3; n += 1) driver.complete();
    driver.nowMs += passedMs;
    const { headers } = driver.complete();
    expect(headers['retry-after']).toBe(expected);
    expect(headers).not.toHaveProperty('x-rate-limit-remaining');
  });

  it.each([
    [2000, '2s'],
    [1500, '1500ms'],
    [3_600_000, '1h'],
    [300_000, '5m'],
  ])('a period of %i ms is printed as %s', (perMs, text) => {
    const { complete } = drive({ quota: { requests: 1, perMs } });
    expect(complete().headers['x-rate-limit-limit']).toBe(text);
    expect(refusal(complete()).detail).toBe(`Maximum 1 requests allowed per ${text}.`);
  });

  it('counts over all endpoints, with paths that do not exist', () => {
    const { complete, send } = drive({ quota: SMALL });
    complete();
    send({ path: '/api/v2/nothing' });
    send({ method: 'DELETE', path: '/api/v2/content/C/relationships/skills', body: '{"data":[]}' });
    expect(complete().status).toBe(429);
  });

  it('counts each client id for itself', () => {
    const clients = ['one', 'two'].map((clientId) => ({
      clientId,
      clientSecret: 's',
      scopes: ['completions:write', 'content:write'],
    }));
    const driver = drive({ clients, quota: { requests: 1, perMs: 60_000 } });
    const tokenOf = (client_id: string) =>
      JSON.parse(driver.askToken({ client_id, client_secret: 's' }).body ?? '').access_token;
    driver.token = tokenOf('one');
    expect([driver.complete().status, driver.complete().status]).toEqual([201, 429]);
    driver.token = tokenOf('two');
    expect(driver.complete().status).toBe(201);
  });

  it('token requests take places too, and can be left out', () => {
    const counted = drive({ quota: { requests: 2, perMs: 60_000 }, countTokenRequests: true });
    expect([counted.complete().status, counted.complete().status]).toEqual([201, 429]);
    expect(counted.askToken().status).toBe(429);
    const free = drive({ quota: { requests: 2, perMs: 60_000 } });
    expect([free.complete().status, free.complete().status]).toEqual([201, 201]);
    expect(free.askToken().status).toBe(200);
  });

  it('wrong credentials still count for the client id they name', () => {
    const driver = drive({ quota: { requests: 2, perMs: 60_000 }, countTokenRequests: true });
    driver.askToken({ client_secret: 'wrong' });
    expect(driver.complete().status).toBe(429);
  });

  it('an ended token still counts for its client', () => {
    const driver = drive({ tokenLifetimeMs: 1000, quota: { requests: 1, perMs: 60_000 } });
    driver.nowMs += 1000;
    expect([driver.complete().status, driver.complete().status]).toEqual([401, 429]);
  });
});
