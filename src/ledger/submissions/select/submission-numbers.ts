import { sql } from 'kysely';
import type { RowRef } from '../../../domain/row-ref.js';
import { NOBODY } from '../../../operations/keys.js';
import { bytes, type Ledger } from '../../store/query.js';
import { NO_LEARNER } from '../slots.js';
import { isOneOf } from '../subjects.js';

/** Numbers of the published submissions about any of these learners (hex hashes), oldest first. */
export async function submissionsAbout(ledger: Ledger, learners: readonly string[]): Promise<number[]> {
  return submissionsWhere(ledger, isOneOf('s.learner_id', learners));
}

/** The beginning of a key's text (`keyText`), by its pieces; null: any. Hashes are hex digits. */
export interface KeyBeginning {
  readonly learner: string;
  readonly content: string | null;
  readonly environment: string | null;
  readonly operations: readonly string[] | null;
  /** ISO time; empty where the key has none. */
  readonly occurredAt: string | null;
}

/** Numbers of the published submissions whose keys begin so, oldest first. */
export async function submissionsWithKey(ledger: Ledger, key: KeyBeginning): Promise<number[]> {
  const { learner, content, environment, operations, occurredAt } = key;
  const conditions = [
    learner === NOBODY ? sql`s.learner_id = ${NO_LEARNER}` : isOneOf('s.learner_id', [learner]),
    ...(content === null
      ? []
      : [sql`s.content_id = (select content_id from content where hash = ${bytes(content)})`]),
    ...(environment === null
      ? []
      : [sql`s.environment_id = (select environment_id from environment where name = ${environment})`]),
    ...(operations === null
      ? []
      : [
          sql`s.operation_id in (select operation_id from operation where name in (${sql.join(operations)}))`,
        ]),
    ...(occurredAt === null ? [] : [sql`s.occurred_at = ${occurredAt}`]),
  ];
  return submissionsWhere(ledger, sql<boolean>`${sql.join(conditions, sql` and `)}`);
}

/** Numbers of the published submissions that were made from the row, by staging or by a decision. */
export async function submissionsFrom(ledger: Ledger, { dropId, line }: RowRef): Promise<number[]> {
  return submissionsWhere(ledger, sql<boolean>`s.drop_id = ${dropId} and s.line = ${line}`);
}

async function submissionsWhere(
  ledger: Ledger,
  condition: ReturnType<typeof sql<boolean>>,
): Promise<number[]> {
  return (
    await ledger.db
      .selectFrom('submission as s')
      .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .select('s.submission_id as id')
      .where('d.state', '=', sql.lit('published'))
      .where(condition)
      .orderBy('s.submission_id')
      .execute()
  ).map(({ id }) => id);
}
