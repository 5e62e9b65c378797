import { isoFromMs } from '../domain/clock.js';
import { all, change, first, type Ledger, query, writing } from './query.js';
import { move } from './transitions.js';

/** When the first answers to a drop's rows say that its mapping is wrong. */
export interface CanaryRule {
  /** Answers that are looked at; 0: none. */
  readonly rows: number;
  readonly maxRejected: number;
}

/** A drop that was just stopped. */
interface StoppedDrop {
  readonly dropId: number;
  readonly answered: number;
  readonly refused: number;
}

/** Rows held in one transaction: it ends well within a second. */
const HELD_AT_ONCE = 5_000;

/**
 * Counts an answer among the first ones of its drop. What a person asked for says nothing about the mapping and is not
 * counted.
 * @returns the drop when this answer was one refusal too many; null otherwise.
 */
export function countCanary(
  ledger: Ledger,
  submissionId: number,
  state: 'accepted' | 'rejected',
  rule: CanaryRule,
): StoppedDrop | null {
  if (rule.rows === 0) return null;
  return writing(ledger, () => {
    const known = first(
      ledger,
      query
        .selectFrom('submission as s')
        .leftJoin('canary as c', 'c.drop_id', 's.drop_id')
        .select([
          's.drop_id as dropId',
          's.environment',
          's.priority',
          'c.answered',
          'c.refused',
          'c.stopped_at as stoppedAt',
        ])
        .where('s.submission_id', '=', submissionId),
    );
    if (!known || known.priority === 1 || known.stoppedAt !== null) return null;
    const answered = (known.answered ?? 0) + 1;
    const refused = (known.refused ?? 0) + (state === 'rejected' ? 1 : 0);
    if (answered > rule.rows) return null;
    const isTooMany = refused > rule.maxRejected;
    const counted = { answered, refused, stopped_at: isTooMany ? isoFromMs(ledger.clock.nowMs()) : null };
    change(
      ledger,
      query
        .insertInto('canary')
        .values({ drop_id: known.dropId, environment: known.environment, held_at: null, ...counted })
        .onConflict((conflict) => conflict.column('drop_id').doUpdateSet(counted)),
    );
    return isTooMany ? { dropId: known.dropId, answered, refused } : null;
  });
}

/**
 * Holds some of the rows that wait of stopped drops, other than those a person asked for. A drop is done with once none of
 * its rows is under way: one that comes back is held as well.
 * @returns false when there is none to hold now.
 */
export function holdStoppedDrops(ledger: Ledger, environment: string, runId: number): boolean {
  const stopped = all(
    ledger,
    query
      .selectFrom('canary')
      .select('drop_id as dropId')
      .where('environment', '=', environment)
      .where('stopped_at', 'is not', null)
      .where('held_at', 'is', null),
  );
  return stopped.some(({ dropId }) => holdDrop(ledger, environment, dropId, runId));
}

function holdDrop(ledger: Ledger, environment: string, dropId: number, runId: number): boolean {
  return writing(ledger, () => {
    const rows = all(
      ledger,
      query
        .selectFrom('submission')
        .select(['submission_id as id', 'state'])
        .where('environment', '=', environment)
        .where('state', '=', 'waiting')
        .where('priority', '=', 0)
        .where('drop_id', '=', dropId)
        .limit(HELD_AT_ONCE),
    );
    for (const row of rows) {
      move(ledger, row, 'guarded', { cause: 'canary', runId });
    }
    const underWay = first(
      ledger,
      query
        .selectFrom('submission')
        .select('submission_id')
        .where('environment', '=', environment)
        .where('state', '=', 'sending')
        .where('drop_id', '=', dropId),
    );
    if (rows.length < HELD_AT_ONCE && underWay === undefined) {
      change(
        ledger,
        query
          .updateTable('canary')
          .set({ held_at: isoFromMs(ledger.clock.nowMs()) })
          .where('drop_id', '=', dropId),
      );
    }
    return rows.length > 0;
  });
}
