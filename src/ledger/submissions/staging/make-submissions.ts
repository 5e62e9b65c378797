import { type RawBuilder, sql } from 'kysely';
import type { HeldCause } from '../../../domain/cause.js';
import {
  type AdmissionRule,
  admit,
  type CreatedRecord,
  type KnownRevision,
  mayAmend,
} from '../../../domain/delivery/judge.js';
import { grouped } from '../../../domain/grouped.js';
import { keyInDrop, type RecordKeys, ZERO_HASH } from '../../../operations/keys.js';
import { familyOf } from '../../../operations/registry.js';
import { bytesOf, firstOfEach, ownTable } from '../../store/dialect.js';
import { PAGE_ROWS } from '../../store/pages.js';
import { all, change, first, inserted, type Ledger, preparedQuery } from '../../store/query.js';
import { countedState, countMore, enterState } from '../open-items.js';
import type { PreparedRow, ReadSchema, StagingTarget } from './read-rows.js';
import { countRead, type ReadCounts, withReadRows } from './read-tables.js';
import { formerRecords, restoredAt } from './revisions.js';

/**
 * Creates submissions for all records among the read rows, with their counters and open items. Most records are new:
 * one statement inserts these, and only records with an existing key are judged one by one. Where records of the
 * batch may affect each other, all are judged, in line order. Call it in a write transaction.
 * @returns the results of the records that were judged, in line order; all others are staged.
 */
export async function makeSubmissions(
  ledger: Ledger,
  target: StagingTarget,
  from: ReadSchema,
  { records, isPlain, last, firstLine, lastLine }: ReadCounts,
): Promise<readonly CreatedRecord[]> {
  const batch = await batchOf(ledger, target, from, last);
  // Operations of one family share the revisions of a key, but the unique constraint covers a single operation.
  const isAlone = familyOf(target.operation.name).length === 1;
  if (!isPlain || !isAlone || batch.rule.restoredAt !== null) return admitRecords(ledger, batch, null);
  const created = await change(ledger, CREATED(insertionOf(batch, NEW), from));
  const counted = { dropId: target.dropId, environmentId: batch.environmentId };
  if (created > 0) await countMore(ledger, counted, countedState('waiting', null, null), created);
  if (created === records) return [];
  const isLeft = sql<boolean>`not exists (
    select 1 from submission s where s.drop_id = ${target.dropId} and s.line = r.line
      and s.line between ${firstLine} and ${lastLine})`;
  return admitRecords(ledger, batch, isLeft);
}

/**
 * Creates submissions for rows with records, each with its line. Call it in a write transaction.
 * @param replacedId the submission that they replace, where they don't come from a file.
 * @returns the result of each record, in order.
 */
export function createOf(
  ledger: Ledger,
  target: StagingTarget,
  rows: readonly (PreparedRow & { readonly kind: 'record' })[],
  replacedId?: number,
): Promise<readonly CreatedRecord[]> {
  const read = rows.map((row) => ({ row, cells: null, strayQuotes: null }));
  return withReadRows(ledger, read, async () => {
    const { last } = await countRead(ledger, 'temp');
    return admitRecords(ledger, await batchOf(ledger, target, 'temp', last), null, replacedId);
  });
}

type Batch = Awaited<ReturnType<typeof batchOf>>;

/** Prepares a batch; also assigns numbers to its learners, contents, environment and operation. */
async function batchOf(ledger: Ledger, target: StagingTarget, from: ReadSchema, last: number) {
  await addSubjects(ledger, from);
  return {
    from,
    target,
    environmentId: await numberNamed(ledger, 'environment', target.environment),
    operationId: await numberNamed(ledger, 'operation', target.operation.name),
    rule: {
      kind: target.operation.kind,
      sendAmendments: target.sendAmendments,
      isCorrection: target.isCorrection ?? false,
      restoredAt: await restoredAt(ledger),
    } satisfies AdmissionRule,
    /** The number of the last row. */
    last,
  };
}

/** Inserts new learners and contents, and restores identifiers that an erasure cleared, and missing titles. */
async function addSubjects(ledger: Ledger, from: ReadSchema): Promise<void> {
  await change(ledger, CONTENTS({}, from));
  await change(ledger, LEARNERS({}, from));
}

const CONTENTS = preparedQuery(
  (_, from: ReadSchema) =>
    sql`insert into content (hash, type, identifier_type, identifier, part, title)
      select ${bytesOf(sql`hash`)}, type, identifier_type, identifier, part, title from ${ownTable(from, 'read_content')} where true
      on conflict (hash) do update set title = excluded.title where content.title is null and excluded.title is not null`,
);

const LEARNERS = preparedQuery(
  (_, from: ReadSchema) =>
    sql`insert into learner (hash, type, identifier)
      select ${bytesOf(sql`learner_hash`)}, learner_type, learner from ${firstOfEach(ownTable(from, 'read_row'), 'learner_hash', 'number')}
      where learner_hash is not null order by number
      on conflict (hash) do update set identifier = excluded.identifier where learner.identifier is null`,
);

const NEW = { revision: 1, heldFor: null };

function insertionOf(
  { target, environmentId, operationId, rule }: Batch,
  { revision, heldFor }: { readonly revision: number; readonly heldFor: HeldCause | null },
) {
  return {
    dropId: target.dropId,
    environmentId,
    operationId,
    revision,
    decisionId: target.decisionId ?? null,
    state: heldFor === null ? 'waiting' : 'held',
    heldFor,
    overrides: mayAmend(rule) ? 'amended' : null,
  };
}

type Insertion = ReturnType<typeof insertionOf>;

function insertion(values: Insertion, from: ReadSchema, which: RawBuilder<unknown>) {
  return sql<{
    id: number;
    learnerId: number;
  }>`insert into submission (drop_id, line, learner_id, content_id, environment_id, operation_id, occurred_at,
      revision, digest, record, decision_id, state, cause, overrides)
    select ${values.dropId}, r.line, coalesce(l.learner_id, 0), c.content_id, ${values.environmentId}, ${values.operationId},
      r.occurred_at, ${values.revision}, ${bytesOf(sql`r.digest`)}, r.record, ${values.decisionId}, ${values.state},
      ${values.heldFor}, ${values.overrides}
    from ${ownTable(from, 'read_row')} r
    left join content c on c.hash = ${bytesOf(sql`r.content_hash`)}
    left join learner l on l.hash = ${bytesOf(sql`r.learner_hash`)}
    ${which}`;
}

/** Inserts all records with a new key. */
const CREATED = preparedQuery((values: Insertion, from: ReadSchema) =>
  insertion(values, from, sql`where r.kind = 'record' order by r.number on conflict do nothing`),
);

/** Inserts one record. */
const ADMITTED = preparedQuery(
  ({ number, ...values }: Insertion & { readonly number: number }, from: ReadSchema) =>
    insertion(
      values,
      from,
      sql`where r.number = ${number} returning submission_id as id, learner_id as "learnerId"`,
    ),
);

/**
 * Judges one record after another, against the ledger and the earlier records, and inserts its submission.
 * @param which condition on `read_row as r`; null: all records.
 */
async function admitRecords(
  ledger: Ledger,
  batch: Batch,
  which: RawBuilder<boolean> | null,
  movedFrom?: number,
): Promise<CreatedRecord[]> {
  const { target, environmentId, rule, last } = batch;
  const results: CreatedRecord[] = [];
  for (let start = 1; start <= last; start += PAGE_ROWS) {
    const page = sql<boolean>`r.number between ${start} and ${start + PAGE_ROWS - 1}
      and r.kind in ('record', 'further') and ${which ?? sql<boolean>`true`}`;
    const records = await recordsOf(ledger, batch, page);
    const stored = records.length === 0 ? new Map() : await knownRevisions(ledger, batch, page);
    const created = new Map<string, readonly KnownRevision[]>();
    for (const { number, line, keys, formers } of records) {
      const key = keyInDrop(keys);
      const revisions = created.get(key) ?? stored.get(number) ?? [];
      const content = keys.digest;
      const record = { content, occurredAt: keys.occurredAt, movedFrom };
      const admission = admit(record, revisions, await formerRecords(ledger, target, formers), rule);
      if (admission.disposition === 'duplicate') {
        results.push({ number, line, disposition: 'duplicate', submissionId: admission.of });
        continue;
      }
      const { disposition, revision, heldFor } = admission;
      const state = heldFor === null ? 'waiting' : 'held';
      const insertion = { ...insertionOf(batch, { revision, heldFor }), number };
      const { id: submissionId, learnerId } = await inserted(ledger, ADMITTED(insertion, batch.from));
      const row = { dropId: target.dropId, line, submissionId, environmentId, learnerId };
      await enterState(ledger, row, countedState(state, heldFor, null));
      created.set(key, [...revisions, { submissionId, revision, content, state }]);
      results.push({ number, line, disposition, submissionId });
    }
  }
  return results;
}

/** The facts about read records that judging them needs; `formers` as in `formerRecords`. */
async function recordsOf(ledger: Ledger, { from }: Batch, page: RawBuilder<boolean>) {
  const records = await all(
    ledger,
    sql<RecordKeys & { number: number; line: number; formers: string | null }>`
      select r.number, r.line, r.learner_hash as learner, r.content_hash as content,
        nullif(r.occurred_at, '') as "occurredAt", r.digest, r.formers
      from ${ownTable(from, 'read_row')} r where ${page} order by r.number`,
  );
  return records.map(({ number, line, formers, ...keys }) => ({
    number,
    line,
    keys,
    formers: formers === null ? undefined : (JSON.parse(formers) as readonly RecordKeys[]),
  }));
}

/** The existing revisions of the keys of a page's records, by record number, oldest first. */
async function knownRevisions(ledger: Ledger, batch: Batch, page: RawBuilder<boolean>) {
  // All operations that share the revisions of a key.
  const family = sql.join(familyOf(batch.target.operation.name));
  const rows = await all(
    ledger,
    sql<Omit<KnownRevision, 'content'> & { number: number; digest: Buffer }>`
      select r.number, k.submission_id as "submissionId", k.revision, k.state, k.digest
      from ${ownTable(batch.from, 'read_row')} r
      join learner l on l.hash = ${bytesOf(sql`coalesce(r.learner_hash, ${ZERO_HASH})`)}
      join content c on c.hash = ${bytesOf(sql`r.content_hash`)}
      join submission k on k.learner_id = l.learner_id and k.content_id = c.content_id
        and k.environment_id = ${batch.environmentId} and k.occurred_at = r.occurred_at
        and k.operation_id in (select operation_id from operation where name in (${family}))
      where ${page} order by r.number, k.revision`,
  );
  const revisions = rows.map(({ digest, ...revision }) => ({
    ...revision,
    content: digest.toString('hex'),
  }));
  return grouped(revisions, ({ number }) => number);
}

/** The number of an environment or an operation; inserts a new one. */
export async function numberNamed(
  ledger: Ledger,
  table: 'environment' | 'operation',
  name: string,
): Promise<number> {
  const existing = await first(ledger, NUMBERED({ name }, table));
  if (existing !== undefined) return existing.id;
  const [rows, id] = [sql.table(table), sql.ref(`${table}_id`)];
  const added = sql<{ id: number }>`insert into ${rows} (name) values (${name}) returning ${id} as id`;
  return (await inserted(ledger, added)).id;
}

const NUMBERED = preparedQuery(
  ({ name }: { readonly name: string }, table: 'environment' | 'operation') =>
    sql<{ id: number }>`select ${sql.ref(`${table}_id`)} as id from ${sql.table(table)} where name = ${name}`,
);
