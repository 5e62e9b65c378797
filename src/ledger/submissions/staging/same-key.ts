import { sql } from 'kysely';
import {
  type ComparedFields,
  type ExcludedRow,
  judgeSameKey,
  type SameKeyRow,
  type SameKeyRule,
} from '../../../domain/delivery/same-key.js';
import type { Disposition } from '../../../domain/row.js';
import { keyInDrop, type PreparedRecord, type RecordTarget } from '../../../operations/keys.js';
import type { Operation } from '../../../operations/operation.js';
import { recordOf } from '../../../operations/record-text.js';
import { tracedDrop } from '../../drops/published-drops.js';
import { holdsLease, type Lease, yieldToWriters } from '../../leases/leases.js';
import { pagesOf } from '../../store/pages.js';
import { all, change, first, type Ledger, preparedQuery, query, writing } from '../../store/query.js';
import { withoutReferences } from '../../store/sqlite/rewrite-file.js';
import { haveSame, KEY } from '../columns.js';
import { countedState, leaveState } from '../open-items.js';
import { keyOf, knownKey, type RowOfKey, rowsOfKey } from './revisions.js';
import { addToDrop, insertIssues, openInvalid } from './staging.js';

/** True where rows of one file with one key may contradict each other. */
export function mayContradict(
  { kind }: Pick<Operation, 'kind'>,
  rule: SameKeyRule,
): rule is Exclude<SameKeyRule, 'last'> {
  return kind === 'occurrences' && rule !== 'last';
}

/** How to compare rows of an operation. @param headers the file's header of each mapped field. */
export function comparedBy({ fields }: Operation, headers: Readonly<Record<string, string>>): ComparedFields {
  const sent = fields.filter((field) => field.sent);
  return {
    sent: sent.map(({ name }) => name),
    score: sent.find(({ kind }) => kind === 'score')?.name ?? null,
    headers,
  };
}

/**
 * Makes rows of a fully staged drop invalid or skipped that share a key with another row of the file, differ from it
 * in content, and don't count by the source's rule. Call it before the drop is published. Rows that repeat another
 * drop's rows are unchanged: they aren't sent. After an interruption, call it again: it resumes.
 * @returns false: another owner has the stage lease.
 */
export async function excludeSameKeys(
  ledger: Ledger,
  lease: Lease,
  dropId: number,
  operation: Operation,
  rule: SameKeyRule,
): Promise<boolean> {
  if (!mayContradict(operation, rule)) return true;
  const keys = await contradictoryKeys(ledger, dropId);
  const file = await dropsOfFile(ledger, dropId);
  const compared = comparedBy(operation, (await tracedDrop(ledger, dropId))?.mapping ?? {});
  // Only a drop's own rows refer to its submissions before it is published; checking each reference would read whole
  // tables.
  return withoutReferences(ledger, async () => {
    for (const page of pagesOf(keys)) {
      const isDone = await writing(ledger, async (ledger) => {
        if (!(await holdsLease(ledger, lease))) return false;
        const counts: Changes = { staged: 0, amended: 0, duplicate: 0, invalid: 0, skipped: 0 };
        for (const id of page) {
          const rows = await rowsOfKey(ledger, await keyOf(ledger, id), dropId, file);
          await apply(ledger, dropId, rows, judgeSameKey(rows, rule, compared), counts);
        }
        await addToDrop(ledger, dropId, counts);
        return true;
      });
      if (!isDone) return false;
      await yieldToWriters(ledger);
    }
    return true;
  });
}

/**
 * Finds, among rows that are read again, those that share a key with another row of their file, differ from it in content, and
 * don't count by the source's rule. Ignores dismissed rows. Writes nothing.
 * @param rows the records, in line order.
 * @param beside `file`: compares them with the rows of their file; `each-other`: only with each other, for corrected rows.
 * @returns the verdicts, by line.
 */
export async function excludedOnReread(
  ledger: Ledger,
  dropId: number,
  { operation, environment }: RecordTarget,
  rule: SameKeyRule,
  rows: readonly (PreparedRecord & { readonly line: number })[],
  beside: 'file' | 'each-other' = 'file',
): Promise<ReadonlyMap<number, ExcludedRow>> {
  if (!mayContradict(operation, rule)) return new Map();
  const file = beside === 'file' ? await dropsOfFile(ledger, dropId) : [];
  const compared = comparedBy(operation, (await tracedDrop(ledger, dropId))?.mapping ?? {});
  const byKey = new Map<string, SameKeyRow[]>();
  for (const row of rows) {
    const key = keyInDrop(row.keys);
    const stored = file.length === 0 ? null : await knownKey(ledger, { operation, environment }, row.keys);
    const together: SameKeyRow[] = byKey.get(key) ?? (await rowsOfKey(ledger, stored, dropId, file));
    together.push({
      sheet: null,
      line: row.line,
      content: row.keys.digest,
      fields: recordOf(operation, row).fields,
    });
    byKey.set(key, together);
  }
  const lines = new Set(rows.map(({ line }) => line));
  const excluded = new Map<number, ExcludedRow>();
  for (const together of byKey.values()) {
    judgeSameKey(together, rule, compared).forEach((verdict, index) => {
      const { sheet, line } = together[index] as SameKeyRow;
      if (verdict !== null && sheet === null && lines.has(line)) excluded.set(line, verdict);
    });
  }
  return excluded;
}

/** True where `excludeSameKeys` has something to do. */
export async function isContradictory(
  ledger: Ledger,
  dropId: number,
  operation: Operation,
  rule: SameKeyRule,
): Promise<boolean> {
  return mayContradict(operation, rule) && (await contradictoryKeys(ledger, dropId)).length > 0;
}

/** The drop, and the other sheets of its file. */
async function dropsOfFile(ledger: Ledger, dropId: number): Promise<readonly number[]> {
  return (await all(ledger, sheetsOf(dropId))).map(({ id }) => id);
}

function sheetsOf(dropId: number) {
  return query
    .selectFrom('drop_file as d')
    .innerJoin('drop_file as own', (join) =>
      join.onRef('own.source', '=', 'd.source').onRef('own.sha256', '=', 'd.sha256'),
    )
    .select('d.drop_id as id')
    .where('own.drop_id', '=', dropId);
}

/**
 * One submission for each key that the drop would deliver although its file has different contents for it. Such a
 * submission is never the first revision: that is the other row's, or the one that the other row repeats.
 */
async function contradictoryKeys(ledger: Ledger, dropId: number) {
  return (await all(ledger, CONTRADICTORY({ dropId }))).map(({ id }) => id);
}

const CONTRADICTORY = preparedQuery(({ dropId }: { readonly dropId: number }) =>
  query
    .selectFrom('submission as n')
    .innerJoin('submission as o', (join) => join.on(haveSame(KEY, 'o', 'n')))
    .select(({ fn }) => fn.min('n.submission_id').as('id'))
    .where('n.drop_id', '=', dropId)
    // As a literal: the partial index of revisions needs the same condition.
    .where(sql<boolean>`n.revision > 1`)
    .whereRef('o.digest', '<>', 'n.digest')
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('o.drop_id', 'in', sheetsOf(dropId)),
        exists(
          selectFrom('row as r')
            .select('r.line')
            .whereRef('r.submission_id', '=', 'o.submission_id')
            .where('r.disposition', '=', sql.lit('duplicate'))
            .where('r.drop_id', 'in', sheetsOf(dropId)),
        ),
      ]),
    )
    .groupBy(KEY.map((column) => `n.${column}` as const)),
);

type Changes = Record<'staged' | 'amended' | 'duplicate' | 'invalid' | 'skipped', number>;

/** Deletes the submissions that don't count, and updates their rows and the rows that repeat them. */
async function apply(
  ledger: Ledger,
  dropId: number,
  rows: readonly RowOfKey[],
  verdicts: readonly (ExcludedRow | null)[],
  counts: Changes,
): Promise<void> {
  let survivor = null as RowOfKey | null;
  let revision = Number.POSITIVE_INFINITY;
  for (const [index, row] of rows.entries()) {
    if (row.madeBy !== dropId || row.dropId !== dropId) continue;
    revision = Math.min(revision, row.revision);
    const verdict = verdicts[index] ?? null;
    if (verdict === null) {
      if (!row.isRepeat) survivor = row;
      continue;
    }
    await change(ledger, sql`delete from issue where drop_id = ${dropId} and line = ${row.line}`);
    if (!row.isRepeat) {
      await leaveState(ledger, row, countedState(row.state, row.cause, null));
      await deleteSubmission(ledger, row.submissionId);
    }
    await becomes(ledger, row, verdict.kind, null);
    await insertIssues(ledger, { dropId, line: row.line }, verdict.issues);
    if (verdict.kind === 'invalid') await openInvalid(ledger, row, verdict.issues);
    counts[dispositionOf(row)] -= 1;
    counts[verdict.kind] += 1;
  }
  if (survivor === null || survivor.revision === revision) return;
  await renumber(ledger, survivor.submissionId, revision);
  const became = dispositionOf({ ...survivor, revision });
  await becomes(ledger, survivor, became, survivor.submissionId);
  counts[dispositionOf(survivor)] -= 1;
  counts[became] += 1;
}

async function becomes(
  ledger: Ledger,
  { dropId, line }: RowOfKey,
  disposition: Disposition,
  submissionId: number | null,
): Promise<void> {
  await ledger.db
    .updateTable('row')
    .set({ disposition, submission_id: submissionId })
    .where('drop_id', '=', dropId)
    .where('line', '=', line)
    .execute();
}

function dispositionOf({ isRepeat, revision }: Pick<RowOfKey, 'isRepeat' | 'revision'>): keyof Changes {
  return isRepeat ? 'duplicate' : revision === 1 ? 'staged' : 'amended';
}

/** Replaces an unpublished submission with one under the number of a deleted revision: revisions have no gaps. */
async function renumber(ledger: Ledger, submissionId: number, revision: number): Promise<void> {
  const stored = query.selectFrom('submission').selectAll().where('submission_id', '=', submissionId);
  const submission = await first(ledger, stored);
  if (submission === undefined) throw new Error(`there is no submission ${submissionId}`);
  await deleteSubmission(ledger, submissionId);
  await ledger.db
    .insertInto('submission')
    .values({ ...submission, revision })
    .execute();
}

async function deleteSubmission(ledger: Ledger, submissionId: number): Promise<void> {
  await ledger.db.deleteFrom('submission').where('submission_id', '=', submissionId).execute();
}
