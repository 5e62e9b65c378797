import { systemClock } from '../../src/domain/clock.js';
import type { QuotaRule } from '../../src/domain/environment/quota-rule.js';
import type { JobSlot } from '../../src/domain/process/job.js';
import { collected } from '../../src/domain/process/series.js';
import { type Reconciliation, reconcileAlerts } from '../../src/ledger/alerts/reconcile-alerts.js';
import { type Answer, recordAnswer } from '../../src/ledger/attempts/answers.js';
import { withPush } from '../../src/ledger/attempts/with-push.js';
import { closeDecision } from '../../src/ledger/decisions/decision-log.js';
import { moveListedRows } from '../../src/ledger/decisions/move-listed-rows.js';
import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import type { DropFacts } from '../../src/ledger/drops/drops.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { withSlot } from '../../src/ledger/leases/jobs.js';
import { withLeases } from '../../src/ledger/leases/leases.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { takePermit } from '../../src/ledger/permits/quota.js';
import { disconnect, openLedger } from '../../src/ledger/store/open.js';
import { openDatabaseLedger } from '../../src/ledger/store/postgres/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { claim, findDue } from '../../src/ledger/submissions/claims.js';
import { type Completion, preparedCompletion } from '../support/prepared-completion.js';
import { PLAN, stageRows } from './stage-rows.js';

// What two processes do at once, each on a connection of its own: it is opened, does one task, and is closed.

/** The input and result of each task. */
export interface Tasks {
  takePermits(input: { readonly rule: QuotaRule; readonly times: number }): Promise<number>;
  importFiles(input: { readonly file: DropFacts; readonly rows: readonly Completion[] }): Promise<null>;
  deliver(input: { readonly runId: number; readonly answer: Answer }): Promise<readonly number[]>;
  runSlot(input: { readonly slot: JobSlot }): Promise<'done' | 'past' | 'in the way'>;
  tell(input: { readonly found: Reconciliation }): Promise<number>;
  dismiss(input: { readonly decisionId: number }): Promise<Readonly<Record<string, number>>>;
}

const clock = systemClock();
const owner = thisProcess();

const tasksOn = (ledger: Ledger): Tasks => ({
  async takePermits({ rule, times }) {
    let taken = 0;
    for (let n = 0; n < times; n += 1) {
      if ('permitId' in (await takePermit(ledger, 'client', rule, 'push', 10_000))) taken += 1;
    }
    return taken;
  },
  importFiles: ({ file, rows }) =>
    untilDone(async () => {
      const taken = await withLeases(ledger, ['stage'], owner, file.runId, async ({ leases: [lease] }) => {
        const { dropId } = await beginDrop(ledger, file, PLAN);
        // A batch for each row, so that the other process comes in between.
        for (const [index, row] of rows.entries()) {
          const line = index + 2;
          const batch = { rows: [preparedCompletion(ledger, row, line)], cells: [{ line, cells: ['row'] }] };
          await stageRows(ledger, lease, { dropId }, batch);
        }
        await publishDrop(ledger, lease, dropId, { rowsRead: rows.length });
        return null;
      });
      return 'done' in taken ? taken : null;
    }),
  deliver: ({ runId, answer }) =>
    untilDone(async () => {
      const policy = { ...POLICY, backOffMs: () => 0 };
      const push = { environment: 'main', owner, runId, chosenBy: null, policy };
      const taken = await withPush(ledger, push, async ({ lease }) => {
        const delivered: number[] = [];
        for (;;) {
          const due = await findDue(ledger, { environment: 'main', runId });
          if (due.kind !== 'ready') return { result: delivered, outage: null };
          const claimed = await claim(ledger, lease, due.submissionId, runId);
          if (claimed === null) continue;
          await recordAnswer(ledger, claimed.attemptId, answer, policy, runId);
          delivered.push(due.submissionId);
        }
      });
      return 'done' in taken ? taken : null;
    }),
  async runSlot({ slot }) {
    const taken = await withSlot(ledger, slot, owner, async () => {
      await clock.sleep(20);
      return { result: null, ending: 'done' };
    });
    return taken === 'past' ? 'past' : 'done' in taken ? 'done' : 'in the way';
  },
  tell: async ({ found }) => (await reconcileAlerts(ledger, found)).due.length,
  async dismiss({ decisionId }) {
    await collected(moveListedRows(ledger, { decisionId, kind: 'dismiss' }, null));
    return closeDecision(ledger, decisionId);
  },
});

const POLICY = {
  maxTries: 3,
  maxResends: 2,
  onUnknown: 'resend',
  spendTries: true,
  canary: { rows: 0, maxRejected: 0 },
} as const;

/** Tries again until no other process is in the way. */
async function untilDone<T>(work: () => Promise<{ readonly done: T } | null>): Promise<T> {
  for (;;) {
    const taken = await work();
    if (taken !== null) return taken.done;
    // Each try is a transaction, and costs as much as what it waits for.
    await clock.sleep(25);
  }
}

/** Opens the ledger at an address. @returns what carries out a task there, and closes the ledger. */
export async function taskRunner(address: string) {
  const ledger = /^postgres:/.test(address)
    ? await openDatabaseLedger(address, clock)
    : openLedger(address, clock);
  return async <Task extends keyof Tasks>(
    task: Task,
    input: Parameters<Tasks[Task]>[0],
  ): Promise<Awaited<ReturnType<Tasks[Task]>>> => {
    try {
      const carryOut = tasksOn(ledger)[task] as (argument: typeof input) => ReturnType<Tasks[Task]>;
      return await carryOut(input);
    } finally {
      await disconnect(ledger);
    }
  };
}
