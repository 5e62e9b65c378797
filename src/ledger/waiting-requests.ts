import { sql } from 'kysely';
import type { NormalisedRecord } from '../domain/record.js';
import { operationNamed } from '../operations/registry.js';
import { stagingDrop } from './drops.js';
import { all, each, type Ledger, query } from './query.js';

/**
 * Requests that deliver all that waits in an environment, where each is answered well: rows that may share one count
 * together. Retries come on top, and rows that go alone after a refusal.
 */
export function requestsWaiting(ledger: Ledger, environment: string): number {
  const waiting = query
    .selectFrom('submission')
    .where('environment', '=', environment)
    .where('state', '=', 'waiting')
    .where('drop_id', '<>', stagingDrop(ledger) ?? 0);
  const counts = all(
    ledger,
    waiting.select(['operation', sql<number>`count(*)`.as('rows')]).groupBy('operation'),
  );
  let requests = 0;
  for (const { operation, rows } of counts) {
    const { sharing } = operationNamed(operation);
    if (sharing === undefined) {
      requests += rows;
      continue;
    }
    const groups = new Map<string, number>();
    const records = each(ledger, waiting.select('record').where('operation', '=', operation));
    for (const { record } of records) {
      const group = record === null ? '' : JSON.stringify(sharing.group({ fields: fieldsOf(record) }));
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
    for (const size of groups.values()) requests += Math.ceil(size / sharing.most);
  }
  return requests;
}

function fieldsOf(record: string): NormalisedRecord['fields'] {
  return JSON.parse(record) as NormalisedRecord['fields'];
}
