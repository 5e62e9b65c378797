import type { FaultCode } from '../../src/domain/environment/fault.js';
import type { Outcome } from '../../src/domain/outcome.js';
import { endOutages, recordOutages } from '../../src/ledger/attempts/outages.js';
import { closeDecision, recordDecision } from '../../src/ledger/decisions/decision-log.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import { dismissRefusals } from '../../src/ledger/drops/refused/refused-drops.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun, endRun } from '../../src/ledger/leases/runs.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { fileOf } from '../conformance/staged-drop.js';
import { damageLedger } from '../support/damage.js';
import { decider } from '../support/decider.js';
import { deliverNext, mustLease, stage } from '../support/staged-ledger.js';

let rows = 0;

/** A published drop of so many completions, each of another learner; of them so many get this answer. */
export async function drop(
  ledger: Ledger,
  count: number,
  answered = 0,
  outcome?: Outcome | (() => Outcome),
): Promise<number> {
  const completions = Array.from({ length: count }, () => {
    rows += 1;
    return { user: `canary.${rows}@example.com`, content: `C-${rows}` };
  });
  const { dropId, runId } = await stage(ledger, completions);
  if (outcome === undefined) return dropId;
  const lease = await mustLease(ledger, 'push:main');
  for (let n = 0; n < answered; n += 1) {
    const answer = typeof outcome === 'function' ? outcome() : outcome;
    await deliverNext(ledger, lease, runId, answer, 400);
  }
  await releaseLease(ledger, lease);
  return dropId;
}

/** All rows are delivered. */
export async function allDelivered(ledger: Ledger): Promise<void> {
  damageLedger(
    ledger,
    `update submission set state = 'accepted', cause = null, platform_code = null, accepted_as = 'new';
     delete from open_item where submission_id <> 0;
     update counter set count = 0 where state <> 'invalid';
     insert into counter select drop_id, environment_id, 'accepted', '', '', count(*) from submission group by drop_id
       on conflict do update set count = excluded.count`,
  );
}

/** A refused file; the function dismisses it. */
export async function refusedFiles(ledger: Ledger, name: string): Promise<() => Promise<void>> {
  const file = await fileOf(ledger, name);
  const dropId = await refuseDrop(
    ledger,
    { ...file, format: 'csv' },
    { code: 'header-missing', text: 'The file of Ada is cut.' },
  );
  return async () => {
    const who = decider('ada');
    const decisionId = await recordDecision(ledger, { kind: 'dismiss', who, because: 'x', selection: {} });
    await dismissRefusals(ledger, [dropId], decisionId);
    await closeDecision(ledger, decisionId);
  };
}

/** The environment can't be used; the function says that it can again. */
export async function outage(ledger: Ledger, code: FaultCode): Promise<() => Promise<void>> {
  const runId = await beginRun(ledger, 'cron', thisProcess(), 'test');
  const fault = {
    code,
    message: 'said by the platform',
    host: 'token',
    address: 'https://login.example',
  } as const;
  await recordOutages(ledger, runId, 'main', [{ operation: null, fault }], ledger.clock.nowMs());
  return async () => void (await endOutages(ledger, 'main', null));
}

/** A run finds books that don't balance; the function repairs them. */
export async function imbalance(ledger: Ledger): Promise<() => Promise<void>> {
  const { dropId, runId } = await stage(ledger, [{ user: 'canary@example.com' }]);
  damageLedger(ledger, `update drop_file set rows_read = rows_read + 1 where drop_id = ${dropId}`);
  await endRun(ledger, runId, 'unbalanced');
  return async () =>
    void damageLedger(ledger, `update drop_file set rows_read = rows_read - 1 where drop_id = ${dropId}`);
}
