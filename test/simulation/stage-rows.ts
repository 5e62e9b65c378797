import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { isLease, releaseLease, takeLease } from '../../src/ledger/leases/leases.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { stageBatch } from '../../src/ledger/submissions/staging/staging.js';
import { keyMaker } from '../../src/operations/keys.js';
import { preparedRecord } from '../../src/operations/prepared-record.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { READ_AS_CSV } from '../support/prepared-completion.js';
import { withCells } from '../support/with-cells.js';

/** Rows made up and written at a time. */
const BATCH = 10_000;

/** Completions of one learner. */
const EACH = 20;

/** Stages one drop of so many completions, each of a slot of its own, for the environment "main". */
export async function stageRows(ledger: Ledger, rows: number): Promise<void> {
  const owner = thisProcess();
  const runId = await beginRun(ledger, 'manual', owner, 'simulation');
  const lease = await takeLease(ledger, 'stage', owner, runId);
  if (!isLease(lease)) throw new Error('another process stages');
  const { dropId } = await beginDrop(
    ledger,
    {
      source: 'academy',
      identity: { sha256: '0'.repeat(64), bytes: 1 },
      fileName: 'rows.csv',
      operation: submitCompletion.name,
      environment: 'main',
      runId,
      isResumed: false,
    },
    READ_AS_CSV,
  );
  const keys = keyMaker(ledger.salt);
  const target = { dropId, operation: submitCompletion, environment: 'main', sendAmendments: false };
  for (let from = 0; from < rows; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, rows - from) }, (_, index) => {
      const fields = completion(from + index);
      return {
        kind: 'record' as const,
        line: from + index + 2,
        ...preparedRecord(target, keys, { fields }),
      };
    });
    await stageBatch(
      ledger,
      lease,
      target,
      withCells(batch, ({ text }) => [text]),
    );
  }
  await publishDrop(ledger, lease, dropId, { rowsRead: rows });
  await releaseLease(ledger, lease);
}

function completion(number: number) {
  return {
    'user-id': `learner${Math.floor(number / EACH)}@example.org`,
    'user-identifier-type': 'Email',
    'content-id': `C-${number % EACH}`,
    'content-id-type': 'ExternalId',
    'content-type': 'course',
    'completed-at': '2026-01-10T09:00:00.000Z',
    percentile: number % 101,
  };
}
