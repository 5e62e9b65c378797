import { isoFromMs } from '../../domain/clock.js';
import { addRow, rowOf } from '../store/by-key.js';
import { bytes, type Ledger, writing } from '../store/query.js';

/** An answer to a request with an `Idempotency-Key`. Personal. */
export interface IdempotentResponse {
  /** SHA-256 of the key and the request, in hex digits. */
  readonly requestHash: string;
  readonly status: number;
  /** JSON. */
  readonly document: string;
}

/** Programs retry for minutes; a person who repeats a job may do so a day later. */
const KEPT_MS = 2 * 24 * 3_600_000;

/** Finds the answer that was kept for a key; null: there is none. */
export async function findAnswer(ledger: Ledger, keyHash: string): Promise<IdempotentResponse | null> {
  const answer = await rowOf(ledger, 'idempotent_response', { key_hash: bytes(keyHash) });
  if (answer === undefined) return null;
  const { request_hash: requestHash, status, document } = answer;
  return { requestHash: requestHash.toString('hex'), status, document };
}

/** Keeps the answer for a key, unless it has one already, and deletes answers that are older than two days. */
export async function storeAnswer(
  ledger: Ledger,
  keyHash: string,
  { requestHash, status, document }: IdempotentResponse,
): Promise<void> {
  const nowMs = ledger.clock.nowMs();
  const hashes = { key_hash: bytes(keyHash), request_hash: bytes(requestHash) };
  await writing(ledger, async (ledger) => {
    await ledger.db
      .deleteFrom('idempotent_response')
      .where('answered_at', '<', isoFromMs(nowMs - KEPT_MS))
      .execute();
    await addRow(ledger, 'idempotent_response', {
      ...hashes,
      status,
      document,
      answered_at: isoFromMs(nowMs),
    });
  });
}

/** Deletes all answers: any of them may name the person or hold the content that is erased. */
export async function deleteAnswers(ledger: Ledger): Promise<void> {
  await ledger.db.deleteFrom('idempotent_response').execute();
}
