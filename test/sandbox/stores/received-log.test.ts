import { describe, expect, it } from 'vitest';
import { ATTRIBUTES, drive, json, START_MS } from '../sandbox-driver.js';

describe('the log', () => {
  it('has an entry for each request, token requests included', () => {
    const driver = drive();
    driver.nowMs += 250;
    driver.complete();
    expect(driver.platform.received).toEqual([
      {
        number: 1,
        at: '2025-03-01T08:00:00.000Z',
        atMs: START_MS,
        method: 'POST',
        path: '/oauth/token',
        clientId: 'sandbox-client',
        counted: false,
        status: 200,
        written: false,
        write: null,
        fault: null,
        attributes: null,
        entries: null,
      },
      {
        number: 2,
        at: '2025-03-01T08:00:00.250Z',
        atMs: START_MS + 250,
        method: 'POST',
        path: '/api/v2/completions',
        clientId: 'sandbox-client',
        counted: true,
        status: 201,
        written: true,
        write: 1,
        fault: null,
        attributes: ATTRIBUTES,
        entries: null,
      },
    ]);
  });

  it('holds neither token nor secret', () => {
    const driver = drive();
    driver.complete();
    const log = JSON.stringify(driver.platform.received);
    expect(log).not.toContain(driver.token);
    expect(log).not.toContain('sandbox-secret');
  });

  it.each([
    [[0, 1000, 59_999], 3],
    [[0, 30_000, 60_000], 2],
    [[0, 40_000, 59_000, 61_000, 99_000], 4],
  ])('requests at %j are at most %i in any window, wherever it begins', (timesMs, most) => {
    const driver = drive();
    for (const ms of timesMs) {
      driver.nowMs = START_MS + ms;
      driver.complete();
    }
    expect(driver.platform.stats().mostInAnyWindow).toBe(most);
  });

  it('counts statuses, and answers that were dropped as none', () => {
    const { complete, platform } = drive({ faults: { schedule: [{ kind: 'drop-after', at: 2 }] } });
    complete();
    complete();
    complete({ 'user-id': '' });
    expect(platform.stats()).toMatchObject({
      requests: 4,
      byStatus: { 200: 1, 201: 1, none: 1, 400: 1 },
    });
  });
});

describe('the control addresses', () => {
  const control = (
    driver: ReturnType<typeof drive>,
    method: string,
    path: string,
    body: string | null = null,
  ) => driver.platform.handle({ method, path: `/_sandbox/${path}`, headers: {}, body }, driver.nowMs);

  it('received gives the log and what was written', () => {
    const driver = drive();
    driver.complete();
    const { requests, completions } = json(control(driver, 'GET', 'received'));
    expect(requests).toHaveLength(2);
    expect(completions).toEqual([
      { id: 'completion-1', attributes: ATTRIBUTES, firstAt: '2025-03-01T08:00:00.000Z', writes: 1 },
    ]);
  });

  it('stats gives the sums, and no control call is in them', () => {
    const driver = drive();
    control(driver, 'GET', 'received');
    expect(json(control(driver, 'GET', 'stats'))).toMatchObject({ requests: 1, overQuota: 0 });
  });

  it('takes no token and no permit', () => {
    const driver = drive({ quota: { requests: 1, perMs: 60_000 } });
    for (let n = 0; n < 5; n += 1) expect(control(driver, 'GET', 'stats').status).toBe(200);
    expect(driver.complete().status).toBe(201);
  });

  it('faults are replaced by others, counted from the next request', () => {
    const driver = drive({ faults: { rates: { forbidden: 1 } } });
    expect(driver.complete().status).toBe(403);
    expect(control(driver, 'POST', 'faults', 'html@1').status).toBe(200);
    expect([driver.complete().status, driver.complete().status]).toEqual([200, 201]);
  });

  it('wrong faults are refused with the known kinds, and the old ones stay', () => {
    const driver = drive({ faults: { rates: { forbidden: 1 } } });
    const answer = control(driver, 'POST', 'faults', 'explosion=1');
    expect(answer.status).toBe(400);
    expect(json(answer).error).toMatch(/drop-before/);
    expect(driver.complete().status).toBe(403);
  });

  it('reset forgets requests, completions, tokens and windows, and brings the first faults back', () => {
    const driver = drive({ quota: { requests: 1, perMs: 60_000 }, faults: { schedule: [{ kind: 'html' }] } });
    expect(driver.complete().status).toBe(200);
    control(driver, 'POST', 'faults', '');
    expect(control(driver, 'POST', 'reset').status).toBe(200);
    expect(driver.platform.received).toEqual([]);
    expect(driver.complete()).toMatchObject({ status: 200, fault: { kind: 'html' } });
    expect(driver.complete().status).toBe(401);
    driver.token = json(driver.askToken()).access_token;
    expect(driver.complete().status).toBe(201);
  });

  it('anything else below the prefix is a 404 that says what there is', () => {
    expect(json(control(drive(), 'GET', 'nothing')).error).toMatch(/GET received/);
  });
});
