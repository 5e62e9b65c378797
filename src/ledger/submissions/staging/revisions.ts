import { sql } from 'kysely';
import type { FormerRecord, KnownRevision } from '../../../domain/delivery/judge.js';
import { mapSeries } from '../../../domain/process/series.js';
import { NOBODY, type PreparedRecord, type RecordKeys, type RecordTarget } from '../../../operations/keys.js';
import { familyOf } from '../../../operations/registry.js';
import { all, bytes, first, type Ledger, query } from '../../store/query.js';

/** The revisions of a key, oldest first, including those of a drop being staged. */
export async function revisionsOf(
  ledger: Ledger,
  target: RecordTarget,
  keys: RecordKeys,
): Promise<KnownRevision[]> {
  const found = await all(
    ledger,
    inSlot(target, keys)
      .select(['s.submission_id as submissionId', 's.revision', 's.state', 's.digest'])
      .where('s.occurred_at', '=', keys.occurredAt ?? '')
      .orderBy('s.revision'),
  );
  return found.map(({ digest, ...revision }) => ({ ...revision, content: digest.toString('hex') }));
}

/**
 * The former records of a record, under its learner's former identifiers.
 * @param formers its keys under each of them; undefined: there is none.
 */
export async function formerRecords(
  ledger: Ledger,
  target: RecordTarget,
  formers: readonly RecordKeys[] = [],
): Promise<FormerRecord[]> {
  return mapSeries(formers, async (keys) => ({
    content: keys.digest,
    revisions: await revisionsOf(ledger, target, keys),
    latestAcceptedAt: await latestAcceptedAt(ledger, target, keys),
  }));
}

async function latestAcceptedAt(
  ledger: Ledger,
  target: RecordTarget,
  keys: RecordKeys,
): Promise<string | null> {
  const accepted = inSlot(target, keys)
    .select('s.occurred_at as at')
    .where('s.state', '=', sql.lit('accepted'));
  const latest = await first(ledger, accepted.orderBy('s.occurred_at', 'desc').limit(sql.lit(1)));
  return latest?.at || null;
}

/** The submissions of a slot. */
function inSlot({ operation, environment }: RecordTarget, { learner, content }: RecordKeys) {
  return query
    .selectFrom('learner as l')
    .innerJoin('content as c', (join) => join.on('c.hash', '=', bytes(content)))
    .innerJoin('environment as e', (join) => join.on('e.name', '=', environment))
    .innerJoin('operation as o', (join) => join.on('o.name', 'in', familyOf(operation.name)))
    .innerJoin('submission as s', (join) =>
      join
        .onRef('s.learner_id', '=', 'l.learner_id')
        .onRef('s.content_id', '=', 'c.content_id')
        .onRef('s.environment_id', '=', 'e.environment_id')
        .onRef('s.operation_id', '=', 'o.operation_id'),
    )
    .where('l.hash', '=', bytes(learner ?? NOBODY));
}

/** What the ledger has of a record. */
export type KnownRecord = Awaited<ReturnType<typeof knownRecords>>[number];

/**
 * Reads what the ledger has of some records, which decides what they would become if they came in: the revisions of their keys, oldest
 * first, and their former records, under former identifiers of their learners.
 */
export async function knownRecords(
  ledger: Ledger,
  target: RecordTarget,
  records: readonly Pick<PreparedRecord, 'keys' | 'formers'>[],
) {
  return mapSeries(records, async ({ keys, formers }) => ({
    revisions: await revisionsOf(ledger, target, keys),
    formers: await formerRecords(ledger, target, formers),
  }));
}

/**
 * ISO time at which the ledger was restored from a backup, while that restore is not finished; null otherwise. The replaced
 * ledger may have delivered records that were completed before that time and are new to this one.
 */
export async function restoredAt(ledger: Ledger): Promise<string | null> {
  const open = await ledger.db
    .selectFrom('decision')
    .select('made_at as madeAt')
    .where('kind', '=', 'restore')
    .where('finished_at', 'is', null)
    .orderBy('made_at', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return open?.madeAt ?? null;
}
