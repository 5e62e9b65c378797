import { expect, it } from 'vitest';
import { type Config, configSchema } from '../../../src/config/schema.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { tracedLife } from '../../../src/ledger/trace/submission-life.js';
import { nextStep, nextText } from '../../../src/report/trace/trace.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  REJECTED,
  SERVER_ERROR,
  stage,
  testLedger,
  UNKNOWN_LEARNER,
} from '../../support/staged-ledger.js';

const address = 'https://platform.example';
const config: Config = configSchema.parse({
  environments: { main: { baseUrl: address, authUrl: address, clientId: 'a', clientSecret: 'b' } },
  sources: [{ name: 'academy', operation: 'submit-completion', environment: 'main' }],
});

async function next(ledger: Ledger, id: number): Promise<string> {
  const life = await tracedLife(ledger, id);
  if (life === null) throw new Error(`no submission ${id}`);
  return nextText(nextStep(config, life, ledger.clock.nowMs()));
}

it('a waiting row names the number of rows before it, or the row of the same learner and content', async () => {
  const ledger = testLedger();
  await stage(ledger, [{ user: 'a@example.com' }, { user: 'b@example.com' }]);
  await stage(ledger, [{ user: 'b@example.com', at: '2026-01-11T09:00:00.000Z' }]);
  await stage(ledger, [{ user: 'c@example.com' }], { environment: 'gone' });
  expect(await next(ledger, 1)).toBe('The next registrar run sends it first.');
  expect(await next(ledger, 2)).toMatch(/sends it as number 2, about 1 s after/);
  expect(await next(ledger, 3)).toMatch(/^It waits for #2, which is older/);
  expect(await next(ledger, 4)).toMatch(/^It waits for environment gone, which registrar\.yaml doesn't have/);
});

it('a sent row names its result, and the command that sends it again', async () => {
  const ledger = testLedger();
  const { runId } = await stage(
    ledger,
    ['a', 'b', 'c', 'd', 'e'].map((name) => ({ user: `${name}@example.com` })),
  );
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, runId, ACCEPTED);
  await deliverNext(ledger, lease, runId, REJECTED, 400);
  await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  await deliverNext(ledger, lease, runId, SERVER_ERROR, 503);
  await claimNext(ledger, lease, runId);
  expect(await next(ledger, 1)).toMatch(/^Nothing: the platform has accepted it/);
  expect(await next(ledger, 2)).toMatch(/^It is rejected: .* To send it again: registrar rerun --row 2$/);
  expect(await next(ledger, 3)).toMatch(
    /Rechecked automatically from \w{3} \d\d \w{3} \d\d:\d\d \S+ on, with one row of the learner\. .* registrar rerun --row 3$/,
  );
  expect(await next(ledger, 4)).toMatch(
    /^It is tried again by the first registrar run after \w{3} \d\d \w{3} \d\d:\d\d \S+\.$/,
  );
  expect(await next(ledger, 5)).toMatch(/^Its answer is awaited/);
});
