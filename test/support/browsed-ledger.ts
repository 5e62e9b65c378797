import type { Outcome } from '../../src/domain/outcome.js';
import { once } from '../../src/domain/process/once.js';
import { recordAnswer } from '../../src/ledger/attempts/answers.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun, endRun } from '../../src/ledger/leases/runs.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { claim, findDue } from '../../src/ledger/submissions/claims.js';
import { stageContent } from '../staging/staging-bench.js';
import { bytesOf } from './empty-ledger.js';
import { manualClock } from './manual-clock.js';
import {
  ACCEPTED,
  answerOf,
  mustLease,
  REJECTED,
  SERVER_ERROR,
  TEST_POLICY,
  testLedger,
  UNKNOWN_LEARNER,
} from './staged-ledger.js';

/** Personal data of the ledger below: a reader who sees rows masked must never see it. */
export const PERSONAL = [
  'zacharias',
  'quimby',
  'bellweather',
  'ottoline',
  'ottoline.bellweather@northwind.example',
  'zq@northwind.example',
  'northwind',
] as const;

const HEADER = 'Email,Course ID,Completed on,Status,Name';

/**
 * A ledger with two files of two people and others, whose rows were accepted, refused with answers that repeat names, failed, are
 * unknown, wait and became no record.
 */
export async function browsedLedger(): Promise<Ledger> {
  const clock = manualClock();
  clock.pass(2 * HOUR_MS);
  return testLedger(clock, await browsed());
}

const HOUR_MS = 3_600_000;

/** Made once: each of the ledgers is a copy. */
const browsed = once(async () => {
  const clock = manualClock();
  const ledger = testLedger(clock);
  const otto = 'Ottoline.Bellweather@northwind.example';
  await stageContent(
    ledger,
    [
      HEADER,
      `${otto},C-1,2024-01-05 08:00:00,Completed,Ottoline Bellweather`,
      'zq@northwind.example,C-2,2024-01-06 08:00:00,Completed,Zacharias Quimby',
      `${otto},C-3,Zacharias Quimby,Completed,Ottoline Bellweather`,
      'Zacharias Quimby,C-4,2024-01-08 08:00:00,Completed,zq@northwind.example',
      ...Array.from(
        { length: 12 },
        (_, n) => `l${n}@northwind.example,C-${n},2024-02-05 08:00:00,Completed,x`,
      ),
    ].join('\n'),
  );
  clock.pass(HOUR_MS);
  await deliverAll(
    ledger,
    [REJECTED, UNKNOWN_LEARNER, REJECTED, SERVER_ERROR, ACCEPTED, REJECTED, SERVER_ERROR],
    9,
  );
  clock.pass(HOUR_MS);
  await stageContent(
    ledger,
    [
      HEADER,
      `zq@northwind.example,C-9,2024-01-05 08:00:00,Completed,Zacharias Quimby`,
      'zq@northwind.example,,2024-01-05 08:00:00,Completed,Zacharias Quimby',
      ...Array.from(
        { length: 6 },
        (_, n) => `m${n}@northwind.example,C-7,${n % 2 ? 'soon' : '2024-03-01'},Completed,y`,
      ),
    ].join('\n'),
  );
  return bytesOf(ledger);
});

/** Delivers so many rows with these outcomes, in turns; refusals say whom they are about. */
async function deliverAll(ledger: Ledger, outcomes: readonly Outcome[], count: number): Promise<void> {
  const runId = await beginRun(ledger, 'cron', thisProcess(), 'test');
  const lease = await mustLease(ledger, 'push:main');
  for (let n = 0; n < count; n += 1) {
    const due = await findDue(ledger, { environment: 'main', runId });
    if (due.kind !== 'ready') break;
    const claimed = await claim(ledger, lease, due.submissionId, runId);
    if (claimed === null) continue;
    const outcome = outcomes[n % outcomes.length] ?? ACCEPTED;
    const answer = answerOf(
      outcome,
      outcome.kind === 'rejected' ? 400 : outcome.kind === 'accepted' ? 201 : 503,
    );
    const detail = 'Refused: ottoline.bellweather@northwind.example and zq@northwind.example';
    const error = { id: 'e-1', code: 'bad-request', title: 'Bad', detail, source: detail };
    const response = answer.response && { ...answer.response, body: JSON.stringify({ detail }), error };
    const policy = { ...TEST_POLICY, maxTries: 1 };
    await recordAnswer(ledger, claimed.attemptId, { ...answer, response }, policy, runId);
  }
  await releaseLease(ledger, lease);
  await endRun(ledger, runId, 'attention');
}
