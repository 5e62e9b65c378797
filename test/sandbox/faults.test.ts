import { describe, expect, it } from 'vitest';
import type { Faults } from '../../src/sandbox/faults.js';
import { parseFaults } from '../../src/sandbox/faults.js';
import { seededRandom } from '../../src/sandbox/seeded-random.js';
import { statsOf } from '../support/sandbox-stats.js';
import { drive, refusal } from './sandbox-driver.js';

function driveWith(faults: Faults | string) {
  return drive({ faults: typeof faults === 'string' ? parseFaults(faults) : faults });
}

describe('faults', () => {
  it.each([
    ['server-error', 500, false],
    ['bad-gateway', 502, false],
    ['throttle', 429, false],
    ['drop-before', null, false],
    ['drop-after', null, true],
    ['html', 200, false],
    ['unauthorized', 401, false],
    ['forbidden', 403, false],
  ])('%s answers %j; written: %j; the log names it; the next request is sound', (kind, status, written) => {
    const { complete, platform } = driveWith(`${kind}@1`);
    expect(complete().status).toBe(status);
    expect(platform.received.at(-1)).toMatchObject({ status, written, fault: kind });
    expect(platform.completions()).toHaveLength(written ? 1 : 0);
    if (kind !== 'unauthorized') expect(complete().status).toBe(201);
  });

  it('a server error can come after the write, as a 503 with Retry-After', () => {
    const kind = 'server-error';
    const { complete, platform } = driveWith({
      schedule: [{ kind, status: 503, retryAfterS: 30, written: true }],
    });
    const answer = complete();
    expect(answer.headers['retry-after']).toBe('30');
    expect(refusal(answer)).toMatchObject({ status: 503, code: 'service-unavailable' });
    expect(platform.completions()).toHaveLength(1);
  });

  it('a bad gateway can come after the write, with a page', () => {
    const { complete, platform } = driveWith({ schedule: [{ kind: 'bad-gateway', written: true }] });
    const answer = complete();
    expect(answer.headers['content-type']).toMatch('text/html');
    expect(answer.headers).not.toHaveProperty('x-rate-limit-limit');
    expect(platform.completions()).toHaveLength(1);
  });

  it('a 429 by fault has Retry-After and is not counted as over the quota', () => {
    const { complete, platform } = driveWith('throttle@1');
    expect(complete().headers['retry-after']).toBe('1');
    expect(statsOf(platform)).toMatchObject({ overQuota: 0, byStatus: { 429: 1 } });
  });

  it('a token revoked early stays revoked', () => {
    const driver = driveWith('unauthorized@1');
    driver.complete();
    expect(driver.complete().status).toBe(401);
    driver.token = JSON.parse(driver.askToken().body ?? '').access_token;
    expect(driver.complete().status).toBe(201);
  });

  it('faults are replaced by others, counted from the next request', () => {
    const { complete, platform } = driveWith({ rates: { forbidden: 1 } });
    expect(complete().status).toBe(403);
    platform.setFaults(parseFaults('html@1'));
    expect([complete().status, complete().status]).toEqual([200, 201]);
  });

  it('latency holds every answer back, and a scheduled one adds to it', () => {
    const { complete, platform } = driveWith('latency=50,latency=3000@2');
    expect(complete().fault).toEqual({ kind: 'latency', delayMs: 50 });
    expect(complete()).toMatchObject({ status: 201, fault: { delayMs: 3050 } });
    expect(platform.received.at(-1)).toMatchObject({ fault: 'latency', written: true });
  });

  it('latency and another fault come together', () => {
    expect(driveWith('latency=50,drop-after@1').complete()).toMatchObject({
      status: null,
      fault: { kind: 'drop-after', delayMs: 50 },
    });
  });

  it('a scheduled fault begins at its request and lasts its times', () => {
    const { complete } = driveWith('html@3x2');
    expect([1, 2, 3, 4, 5].map(() => complete().status)).toEqual([201, 201, 200, 200, 201]);
  });

  it('two faults for one request take two requests', () => {
    const { complete } = driveWith('html@2,forbidden@2');
    expect([1, 2, 3, 4].map(() => complete().status)).toEqual([201, 200, 403, 201]);
  });

  it('a fault can wait for an identifier, in the body or the path', () => {
    const { complete, send } = driveWith({ schedule: [{ kind: 'forbidden', match: 'bob@', times: 2 }] });
    expect(complete().status).toBe(201);
    expect(complete({ 'user-id': 'bob@example.org' }).status).toBe(403);
    const path = '/api/v2/content/bob@2/relationships/skills';
    expect(send({ method: 'DELETE', path, body: '{"data":[]}' }).status).toBe(403);
    expect(complete({ 'user-id': 'bob@example.org' }).status).toBe(201);
  });

  it('tls-closed hits token requests alone and counts nowhere', () => {
    const driver = drive({
      faults: parseFaults('tls-closed@2'),
      countTokenRequests: true,
      quota: { requests: 2, perMs: 60_000 },
    });
    expect(driver.askToken()).toMatchObject({ status: null, fault: { kind: 'tls-closed' } });
    expect(driver.platform.received.at(-1)).toMatchObject({ clientId: null, status: null });
    expect(driver.complete().status).toBe(201);
  });

  it('what is over the quota stays a 429 under a fault, but a connection can be cut all the same', () => {
    const quota = { requests: 1, perMs: 60_000 };
    const over = drive({ quota, faults: parseFaults('server-error@2,drop-after@3') });
    expect([1, 2, 3].map(() => over.complete().status)).toEqual([201, 429, null]);
    expect(over.platform.completions()).toMatchObject([{ writes: 1 }]);
  });

  it('requests whose answer was dropped count in the quota', () => {
    const { complete } = drive({
      quota: { requests: 2, perMs: 60_000 },
      faults: parseFaults('drop-before@1'),
    });
    expect([1, 2, 3].map(() => complete().status)).toEqual([null, 201, 429]);
  });

  it('faults by rate come about as often as they should, the same for the same seed', () => {
    const run = (seed: number) => {
      const { complete } = drive({
        faults: parseFaults('server-error=0.2,drop-after=0.1'),
        quota: { requests: 1e6, perMs: 1000 },
        random: seededRandom(seed),
      });
      return Array.from({ length: 1000 }, () => complete().status);
    };
    const statuses = run(7);
    expect(run(7)).toEqual(statuses);
    expect(run(8)).not.toEqual(statuses);
    const errors = statuses.filter((status) => status === 500 || status === 503).length;
    const dropped = statuses.filter((status) => status === null).length;
    expect(errors).toBeGreaterThan(150);
    expect(errors).toBeLessThan(250);
    expect(dropped).toBeGreaterThan(65);
    expect(dropped).toBeLessThan(135);
  });

  it('server errors by rate come in all forms', () => {
    const { complete, platform } = driveWith('server-error=1');
    const forms = new Set<string>();
    for (let n = 0; n < 60; n += 1) {
      const answer = complete();
      const written = platform.received.at(-1)?.written;
      forms.add(`${answer.status} ${answer.headers['retry-after'] ?? '-'} ${written}`);
    }
    expect([...forms].sort()).toEqual([
      '500 - false',
      '500 - true',
      '503 - false',
      '503 - true',
      '503 1 false',
      '503 1 true',
    ]);
  });
});
