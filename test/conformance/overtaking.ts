import { expect } from 'vitest';
import { recordAnswer } from '../../src/ledger/attempts/answers.js';
import { withPush } from '../../src/ledger/attempts/with-push.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { claim } from '../../src/ledger/submissions/claims.js';
import { ACCEPTED, answerOf, deliverNext, TEST_POLICY } from '../support/staged-ledger.js';
import { dueNext, pushOf, pushUnderWay } from './delivery.js';
import type { Engine, OpenedLedger } from './engines.js';
import { fileOf, stage, stagedDrop } from './staged-drop.js';
import { elsewhere, leaseUnderWay, runUnderWay } from './under-way.js';

// Two flows of which one begins some steps after the other: at some of these in npm test, at the others in the longer suite.

export const ONE = elsewhere('one', 1);
export const OTHER = elsewhere('other', 2);

/** Longer than a lease outlives its last heartbeat. */
export const EXPIRED_MS = 31_000;

/** How many steps one of two flows is ahead when the other begins: enough to be in or behind each of its transactions. */
export const ALL_LEADS: readonly number[] = Array.from({ length: 12 }, (_, steps) => steps);

/** A ledger on two connections, as two processes have it. */
export async function openedTwice(
  open: Engine['open'],
): Promise<OpenedLedger & { readonly one: Ledger; readonly other: Ledger }> {
  const opened = await open();
  return { ...opened, one: opened.ledger, other: await opened.connect() };
}

async function later<T>(steps: number, work: () => Promise<T>): Promise<T> {
  for (let step = 0; step < steps; step += 1) await null;
  return work();
}

/** A push that ends while a drop is published. */
export async function isDeliveredWhilePublished(
  open: Engine['open'],
  leads: readonly number[],
): Promise<void> {
  const { one, other } = await openedTwice(open);
  const runId = await runUnderWay(one);
  for (const [round, steps] of [...leads, ...leads.map((steps) => -steps)].entries()) {
    const push = await pushUnderWay(one, runId, { owner: ONE });
    const stager = await leaseUnderWay(other, 'stage', OTHER);
    const [lease] = stager.held.leases;
    const file = await fileOf(other, `round-${round}.csv`);
    const dropId = await stagedDrop(other, lease, file, [{ content: `C-${round}` }]);
    const [left, next] = await Promise.all([
      later(-steps, () => push.held.releaseWhenDrained()),
      later(steps, async () => {
        await publishDrop(other, lease, dropId, { rowsRead: 1 });
        return withPush(other, pushOf(runId, { owner: OTHER }), async ({ lease, waiting }) => {
          await deliverNext(other, lease, runId, ACCEPTED);
          return { result: waiting, outage: null };
        });
      }),
    ]);
    expect([steps, left, next]).toEqual(
      'done' in next ? [steps, 0, { done: 1 }] : [steps, 1, { name: 'push:main', holder: expect.anything() }],
    );
    if (left > 0) await deliverNext(one, push.held.lease, runId, ACCEPTED);
    expect(await push.held.releaseWhenDrained()).toBe(0);
    await Promise.all([push.end(), stager.end()]);
  }
}

/** Two claimers of one submission, of which one overtakes the other. */
export async function isOvertaken(open: Engine['open'], leads: readonly number[]): Promise<void> {
  for (const steps of leads) {
    const { other, clock, connect } = await openedTwice(open);
    const stuck = await connect('stuck');
    const { runId } = await stage(stuck, [{}]);
    const { held } = await pushUnderWay(stuck, runId, { owner: ONE });
    const submissionId = await dueNext(stuck, runId);
    await clock.pass(EXPIRED_MS);
    const [late] = await Promise.all([
      later(steps, () => claim(stuck, held.lease, submissionId, runId)),
      withPush(other, pushOf(runId, { owner: OTHER }), async ({ lease }) => {
        await claim(other, lease, submissionId, runId);
        return { result: null, outage: null };
      }),
    ]);
    const { attempts, states, imbalances } = await readBooks(other, {});
    expect([steps, attempts.open, states.sending, states.waiting, imbalances]).toEqual([steps, 1, 1, 0, []]);
    // What was claimed late ended without an answer before the row was claimed again.
    expect([steps, attempts.total]).toEqual([steps, late === null ? 1 : 2]);
    // And its request must not leave any more.
    expect(held.lease.fence.untilMs).toBeLessThanOrEqual(stuck.clock.monotonicMs());
  }
}

/** An answer that comes while the row is taken over. */
export async function isAnsweredWhileTakenOver(
  open: Engine['open'],
  leads: readonly number[],
): Promise<void> {
  for (const steps of leads) {
    const { other, clock, connect } = await openedTwice(open);
    const stuck = await connect('stuck');
    const { runId } = await stage(stuck, [{}]);
    const { held } = await pushUnderWay(stuck, runId, { owner: ONE });
    const claimed = await claim(stuck, held.lease, await dueNext(stuck, runId), runId);
    await clock.pass(EXPIRED_MS);
    await Promise.all([
      later(steps, () =>
        recordAnswer(stuck, claimed?.attemptId ?? 0, answerOf(ACCEPTED), TEST_POLICY, runId),
      ),
      withPush(other, pushOf(runId, { owner: OTHER }), async () => ({ result: null, outage: null })),
    ]);
    const { attempts, states, imbalances } = await readBooks(other, {});
    expect([steps, attempts.total, attempts.open, imbalances]).toEqual([steps, 1, 0, []]);
    expect(states).toMatchObject({ accepted: 1, waiting: 0, sending: 0 });
  }
}
