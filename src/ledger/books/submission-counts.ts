import { sql } from 'kysely';
import type { Cause } from '../../domain/cause.js';
import type { State } from '../../domain/submission.js';
import { stagingDrop } from '../drops/drops.js';
import { all, type Ledger, query, reading } from '../store/query.js';
import { waitingByEnvironment } from '../submissions/waiting/waiting-count.js';
import { needsAttention } from './rows/attention.js';

/** How many submissions of published drops are in a state. */
export interface SubmissionCount {
  readonly environment: string;
  readonly state: State;
  /** Null where the state says all, and for rows that wait or are being sent. */
  readonly cause: Cause | null;
  readonly count: number;
}

/**
 * Counts submissions by environment, state and cause, from indexes alone: a ledger of a million accepted rows answers as
 * soon as one of a few. Accepted are those that are in no other state.
 */
export async function submissionCounts(ledger: Ledger): Promise<readonly SubmissionCount[]> {
  return reading(ledger, async (ledger) => {
    const waiting = (await waitingByEnvironment(ledger)).map(inState('waiting'));
    const others = [
      ...waiting,
      ...(await sending(ledger)).map(inState('sending')),
      ...(await undelivered(ledger, (await stagingDrop(ledger)) ?? 0)),
    ];
    return [...others, ...acceptedBeside(await made(ledger), others)].filter(({ count }) => count > 0);
  });
}

function inState(state: State) {
  return (counted: Made): SubmissionCount => ({ ...counted, state, cause: null });
}

async function sending(ledger: Ledger): Promise<Made[]> {
  return all(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('environment as e', 'e.environment_id', 's.environment_id')
      .select(['e.name as environment', sql<number>`count(*)`.as('count')])
      .where('s.state', '=', 'sending')
      .groupBy('s.environment_id'),
  );
}

/** Those that need a person, and those that a person or a successor has closed. */
async function undelivered(ledger: Ledger, staging: number): Promise<SubmissionCount[]> {
  const byDrop = query
    .selectFrom('submission as s')
    .select(['s.state', 's.cause', 's.drop_id', sql<number>`count(*)`.as('count')])
    .where(sql<boolean>`(${needsAttention} or s.state = 'dismissed' or s.state = 'replaced')`)
    .where('s.drop_id', '<>', staging)
    // In the order of the index, so that nothing is sorted.
    .groupBy(['s.state', 's.cause', 's.platform_code', 's.drop_id']);
  return all(
    ledger,
    query
      .selectFrom(byDrop.as('b'))
      .innerJoin('drop_file as d', 'd.drop_id', 'b.drop_id')
      .select(['d.environment', 'b.state', 'b.cause', sql<number>`sum(b.count)`.as('count')])
      .groupBy(['d.environment', 'b.state', 'b.cause']),
  );
}

/** How many submissions an environment has. */
interface Made {
  readonly environment: string;
  readonly count: number;
}

/** All submissions of published drops: those that staging counted, and those of decisions. */
async function made(ledger: Ledger): Promise<readonly Made[]> {
  const staged = await all(
    ledger,
    query
      .selectFrom('drop_file')
      .select(['environment', sql<number>`sum(staged + amended + further)`.as('count')])
      .where('state', '=', 'published')
      .groupBy('environment'),
  );
  const byDrop = sql<{ drop_id: number; count: number }>`(select r.drop_id, count(*) as count
    from submission r indexed by submission_rare where r.decision_id is not null group by r.drop_id)`;
  const decided = await all(
    ledger,
    query
      .selectFrom(byDrop.as('b'))
      .innerJoin('drop_file as d', 'd.drop_id', 'b.drop_id')
      .select(['d.environment', sql<number>`sum(b.count)`.as('count')])
      .groupBy('d.environment'),
  );
  return [...staged, ...decided];
}

function acceptedBeside(made: readonly Made[], others: readonly SubmissionCount[]): SubmissionCount[] {
  const sum = (counts: readonly Made[], environment: string) =>
    counts.reduce((total, one) => total + (one.environment === environment ? one.count : 0), 0);
  return [...new Set(made.map(({ environment }) => environment))].map((environment) => ({
    environment,
    state: 'accepted',
    cause: null,
    count: sum(made, environment) - sum(others, environment),
  }));
}
