import { ATTENTION_STATES, STATES, type State } from '../../../domain/submission.js';
import { type Ledger, prepared } from '../../store/query.js';

/** What staging counted of a published drop. */
export interface DropMade {
  readonly dropId: number;
  /** Submissions that staging made. */
  readonly made: number;
}

/**
 * Counts the submissions of published drops by state, states without any left out. From indexes alone, except for the few that decisions
 * made: accepted are those in no other state, so a drop of a million accepted rows takes no longer than one of ten.
 */
export function statesOfDrops(
  ledger: Ledger,
  drops: readonly DropMade[],
): ReadonlyMap<number, Readonly<Partial<Record<State, number>>>> {
  if (drops.length === 0) return new Map();
  const kinds = INDEXED_STATES.flatMap((state) => prepared(ledger, KINDS).all({ state }) as Kind[]);
  const decided = prepared(ledger, DECIDED).all() as { dropId: number; count: number }[];
  const waiting = prepared(ledger, DECIDED_WAITING).all() as DecidedWaiting[];
  const sending = prepared(ledger, SENDING).all() as { dropId: number; count: number }[];
  return new Map(
    drops.map(({ dropId, made }) => {
      const counts = new Map<State, number>([
        ['waiting', waitingOf(ledger, dropId, waiting)],
        ['sending', countOf(sending, dropId)],
      ]);
      for (const { state, cause, code } of kinds) {
        const { count } = prepared(ledger, OF_KIND).get(state, cause, code, dropId) as { count: number };
        counts.set(state, (counts.get(state) ?? 0) + count);
      }
      const others = [...counts.values()].reduce((sum, count) => sum + count, 0);
      counts.set('accepted', made + countOf(decided, dropId) - others);
      const shown = STATES.filter((state) => (counts.get(state) ?? 0) > 0);
      return [dropId, Object.fromEntries(shown.map((state) => [state, counts.get(state)]))];
    }),
  );
}

/** A state with its cause and code that some submission has, and that is in the index of rows that need a person or are closed. */
interface Kind {
  readonly state: State;
  readonly cause: string | null;
  readonly code: string | null;
}

function countOf(counts: readonly { dropId: number; count: number }[], dropId: number): number {
  return counts.find((one) => one.dropId === dropId)?.count ?? 0;
}

/** A waiting submission that a decision made. */
interface DecidedWaiting {
  readonly id: number;
  readonly dropId: number;
}

/**
 * The index of waiting submissions is in the order of their numbers, and staging numbers a drop's submissions in one go: only those of
 * decisions lie elsewhere, or in between.
 */
function waitingOf(ledger: Ledger, dropId: number, decided: readonly DecidedWaiting[]): number {
  const { low, high } = submissionRange(ledger, dropId);
  const own = decided.filter((one) => one.dropId === dropId).length;
  if (low === null || high === null) return own;
  const { count } = prepared(ledger, WAITING).get(low, high, low, high) as { count: number };
  const strange = decided.filter(({ id }) => id >= low && id <= high).length;
  return count - strange + own;
}

/** The first and the last submission that staging made of a drop; others may lie between them only where a decision made them. */
export function submissionRange(
  ledger: Ledger,
  dropId: number,
): { readonly low: number | null; readonly high: number | null } {
  return prepared(ledger, RANGE).get({ dropId }) as ReturnType<typeof submissionRange>;
}

const RANGE = `
  select
    (select submission_id from submission where drop_id = :dropId and decision_id is null order by line, submission_id limit 1)
      as low,
    (select submission_id from submission where drop_id = :dropId and decision_id is null
      order by line desc, submission_id desc limit 1) as high`;

const WAITING = `
  select coalesce(sum(
    (select count(*) from submission where environment_id = e.environment_id and priority = 0 and state = 'waiting'
      and submission_id between ? and ?)
    + (select count(*) from submission where environment_id = e.environment_id and priority = 1 and state = 'waiting'
      and submission_id between ? and ?)), 0) as count
  from environment e`;

const SENDING = `
  select drop_id as dropId, count(*) as count from submission indexed by submission_sending where state = 'sending'
  group by drop_id`;

const RARE = `(revision > 1 or repeats > 0 or decision_id is not null or accepted_as = 'existed'
  or accepted_as = 'revived')`;

const DECIDED = `
  select drop_id as dropId, count(*) as count from submission indexed by submission_rare
  where ${RARE} and decision_id is not null group by drop_id`;

const DECIDED_WAITING = `
  select submission_id as id, drop_id as dropId from submission indexed by submission_rare
  where ${RARE} and decision_id is not null and +state = 'waiting'`;

const INDEXED = `(state = 'rejected' or state = 'failed' or state = 'in-doubt' or state = 'held' or state = 'dismissed'
  or state = 'replaced')`;

const OF_STATE = `submission n indexed by submission_attention where ${INDEXED.replaceAll('state', 'n.state')}
  and n.state = :state`;

/** Goes from one kind of a state to the next by the index, past the rows of each. */
const KINDS = `
  with recursive kind (cause, code) as (
    select * from (select n.cause, n.platform_code from ${OF_STATE} order by n.cause, n.platform_code limit 1)
    union all
    select s.cause, s.platform_code from kind, submission s
    where s.submission_id = coalesce(
      (select n.submission_id from ${OF_STATE} and n.cause is kind.cause and n.platform_code > ifnull(kind.code, '')
        order by n.platform_code limit 1),
      (select n.submission_id from ${OF_STATE} and n.cause > ifnull(kind.cause, '')
        order by n.cause, n.platform_code limit 1))
  )
  select :state as state, cause, code from kind`;

/** The states of that index. */
const INDEXED_STATES = [...ATTENTION_STATES, 'dismissed', 'replaced'] as const satisfies readonly State[];

const OF_KIND = `
  select count(*) as count from submission indexed by submission_attention
  where ${INDEXED} and state = ? and cause is ? and platform_code is ? and drop_id = ?`;
