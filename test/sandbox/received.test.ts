import { describe, expect, it } from 'vitest';
import { statsOf } from '../support/sandbox-stats.js';
import { ATTRIBUTES, drive, json, START_MS } from './sandbox-driver.js';

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
    expect(statsOf(driver.platform).mostInAnyWindow).toBe(most);
  });

  it('counts statuses, and answers that were dropped as none', () => {
    const { complete, platform } = drive({ faults: { schedule: [{ kind: 'drop-after', at: 2 }] } });
    complete();
    complete();
    complete({ 'user-id': '' });
    expect(statsOf(platform)).toMatchObject({
      requests: 4,
      byStatus: { 200: 1, 201: 1, none: 1, 400: 1 },
    });
  });
});

describe('the address of the log', () => {
  const read = ({ platform, nowMs }: ReturnType<typeof drive>) =>
    platform.handle({ method: 'GET', path: '/_sandbox/received', headers: {}, body: null }, nowMs);

  it('gives the log and what was written', () => {
    const driver = drive();
    driver.complete();
    const { requests, completions } = json(read(driver));
    expect(requests).toHaveLength(2);
    expect(completions).toEqual([
      { id: 'completion-1', attributes: ATTRIBUTES, firstAt: '2025-03-01T08:00:00.000Z', writes: 1 },
    ]);
  });

  it('takes no token and no permit, and is not in the log', () => {
    const driver = drive({ quota: { requests: 1, perMs: 60_000 } });
    for (let n = 0; n < 5; n += 1) expect(read(driver).status).toBe(200);
    expect(driver.platform.received).toHaveLength(1);
    expect(driver.complete().status).toBe(201);
  });
});
