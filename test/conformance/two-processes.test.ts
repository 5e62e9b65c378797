import { afterAll, describe, expect, it } from 'vitest';
import { registerJobs } from '../../src/ledger/leases/jobs.js';
import { ENGINES } from './engines.js';
import { FOUND, START } from './found-outage.js';
import { sqlite } from './sqlite-engine.js';
import { areImportedOnce, areSentOnce, endProcess, isCarriedOutOnce, together } from './together.js';

afterAll(endProcess);

describe.each(ENGINES)('on $name', ({ open }) => {
  it('two processes have one quota', async () => {
    const { address } = await open();
    const input = { rule: { requests: 50, perMs: 60_000, reserve: 0, pace: 'burst' as const }, times: 60 };
    const [one = 0, other = 0] = await together(address, 'takePermits', input, input);
    expect(one + other).toBe(50);
  });

  it('two processes work on a slot once', async () => {
    const { ledger, address } = await open();
    const slot = { job: 'report', slotAt: START, sinceAt: '2026-03-01T08:00:00.000Z', missed: 0 };
    await registerJobs(ledger, [slot.job]);
    const ended = await together(address, 'runSlot', { slot }, { slot });
    expect(ended.filter((how) => how === 'done')).toHaveLength(1);
  });

  it('two processes notify an alert once', async () => {
    const { address } = await open();
    const sent = await together(address, 'tell', { found: FOUND }, { found: FOUND });
    expect(sent.sort()).toEqual([0, 1]);
  });
});

// A database takes seconds for as much: in the longer suite.
describe.each([sqlite])('on $name', (engine) => {
  it('two processes that import the same records make each of them once', () => areImportedOnce(engine));

  it('two processes send each row once', () => areSentOnce(engine));

  it('two processes carry a decision out to one end', () => isCarriedOutOnce(engine));
});
