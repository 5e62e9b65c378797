import { sql } from 'kysely';
import type { NormalisedRecord } from '../domain/record.js';
import type { Learner } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';
import { needsAttention } from './attention.js';
import { type Scope, submissionIn } from './books.js';
import { all, bytes, each, first, type Ledger, query } from './query.js';
import { fieldsIn } from './record-text.js';

/** A learner whom the platform doesn't know, with the rows that wait for that or were refused for it. Personal. */
export interface UnknownLearner {
  readonly environment: string;
  readonly learner: Learner;
  /** 32 hex digits, the same in every environment. */
  readonly hash: string;
  readonly rows: number;
  /** Where the first of these rows is, and what it says. */
  readonly example: {
    readonly file: string;
    readonly line: number;
    readonly fields: NormalisedRecord['fields'];
  };
  /** How often was asked again, and the last time; null where a hold has ended. */
  readonly hold: { readonly rechecks: number; readonly askedAt: string } | null;
}

/**
 * Learners whom the platform doesn't know, those with the most rows of the scope first.
 * @param among hashes: of these learners alone.
 */
export function unknownLearners(
  ledger: Ledger,
  limit: number,
  among?: readonly string[],
  scope: Scope = {},
): UnknownLearner[] {
  let unknown = query
    .selectFrom('submission as s')
    .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
    .leftJoin('learner_hold as h', (join) =>
      join.onRef('h.environment', '=', 's.environment').onRef('h.learner', '=', 's.learner'),
    )
    .select([
      's.environment',
      's.operation',
      sql<string>`lower(hex(s.learner))`.as('hash'),
      sql<number>`count(*)`.as('rows'),
      // SQLite takes the bare columns from the row that has the minimum.
      sql<number>`min(s.submission_id)`.as('first'),
      sql<string>`s.record`.as('record'),
      'd.file_name as file',
      's.line',
      sql<number | null>`h.rechecks`.as('rechecks'),
      sql<string | null>`h.asked_at`.as('askedAt'),
    ])
    .where(isUnknown)
    .where(submissionIn(scope))
    .where('s.record', 'is not', null)
    .groupBy(['s.environment', 's.learner'])
    .orderBy('rows', 'desc')
    .orderBy('first')
    .limit(limit);
  if (among) unknown = unknown.where('s.learner', 'in', among.map(bytes));
  return all(ledger, unknown).flatMap(
    ({ operation, record, file, line, rechecks, askedAt, first: _, ...one }) => {
      const fields = fieldsIn(record) ?? {};
      const learner = operationNamed(operation).learner({ fields });
      if (learner === null) return [];
      const hold = rechecks === null || askedAt === null ? null : { rechecks, askedAt };
      return [{ ...one, learner, example: { file, line, fields }, hold }];
    },
  );
}

/** How many learners the platform doesn't know and how many rows that are, of the scope. */
export function countUnknownLearners(ledger: Ledger, scope: Scope): { learners: number; rows: number } {
  const counted = first(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select([sql<number>`count(distinct s.learner)`.as('learners'), sql<number>`count(*)`.as('rows')])
      .where(isUnknown)
      .where(submissionIn(scope)),
  );
  return counted ?? { learners: 0, rows: 0 };
}

/** The unknown learners of an environment, and how it stands with asking again. */
export interface UnknownIn {
  readonly environment: string;
  readonly learners: number;
  readonly rows: number;
  /** Of those who are asked about again, when the one was last asked about whose turn is next; null: none is. */
  readonly askedAt: string | null;
  /** Learners of whom no recheck is left. */
  readonly spent: number;
}

/**
 * Environments with learners whom the platform doesn't know.
 * @param timesIn how often an environment rechecks.
 */
export function unknownByEnvironment(ledger: Ledger, timesIn: (environment: string) => number): UnknownIn[] {
  const counted = all(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select([
        's.environment',
        sql<number>`count(distinct s.learner)`.as('learners'),
        sql<number>`count(*)`.as('rows'),
      ])
      .where(isUnknown)
      .where('d.state', '=', 'published')
      .groupBy('s.environment'),
  );
  return counted.map((unknown) => {
    const times = timesIn(unknown.environment);
    const asking = first(
      ledger,
      query
        .selectFrom('learner_hold')
        .select([
          sql<string | null>`min(iif(rechecks < ${times}, asked_at, null))`.as('askedAt'),
          sql<number>`coalesce(sum(rechecks >= ${times}), 0)`.as('spent'),
        ])
        .where('environment', '=', unknown.environment),
    );
    return { ...unknown, askedAt: asking?.askedAt ?? null, spent: asking?.spent ?? 0 };
  });
}

/**
 * Learners of whom the platform has accepted something in an environment, one by one, in no order and with repeats: the
 * whole ledger is gone through. Write nothing meanwhile. Personal.
 */
export function* acceptedLearners(ledger: Ledger, environment: string): Generator<Learner> {
  const accepted = each(
    ledger,
    query
      .selectFrom('submission')
      .select(['operation', sql<string>`record`.as('record')])
      .where('state', '=', 'accepted')
      .where('environment', '=', environment)
      .where('record', 'is not', null),
  );
  for (const { operation, record } of accepted) {
    const learner = operationNamed(operation).learner({ fields: fieldsIn(record) ?? {} });
    if (learner !== null) yield learner;
  }
}

/** Of `submission as s`; by the index of rows that need attention, for which its own condition must be there as it is. */
const isUnknown = sql<boolean>`(${needsAttention} and s.state in ('rejected', 'held') and s.cause = 'learner-unknown')`;
