import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { DropFormat, DropIdentity, DropState } from '../../domain/drop.js';
import type { Disposition } from '../../domain/row.js';
import { first, type Ledger, query } from '../store/query.js';
import type { Tables } from '../store/schema.js';

/** The facts about a file before it is read. */
export interface DropFacts {
  readonly source: string;
  readonly identity: DropIdentity;
  /** The sheet, where several sheets of the file are a drop each; absent: the file is one drop. */
  readonly part?: string;
  readonly fileName: string;
  readonly operation: string;
  readonly environment: string;
  readonly runId: number;
  /** An earlier run left it in processing/, and may have noted its arrival. */
  readonly isLeft: boolean;
}

/** A file whose format was recognised, or not (null). */
export type FormattedDrop = DropFacts & { readonly format: DropFormat | null };

/**
 * The drop with these bytes; undefined when the source never delivered them. Rows up to `stagedLine` are staged; `settings`: digest of
 * the settings its staging was begun under, null before the header was found.
 */
export async function findDrop(
  ledger: Ledger,
  { source, identity, part }: Pick<DropFacts, 'source' | 'identity' | 'part'>,
) {
  return ledger.db
    .selectFrom('drop_file')
    .select(['drop_id as dropId', 'state', 'staged_line as stagedLine', 'settings'])
    .where('source', '=', source)
    .where('sha256', '=', identity.sha256)
    .where('part', '=', part ?? '')
    .executeTakeFirst();
}

/** The counts of a drop before any row is staged. */
export const NOTHING_STAGED = {
  staged_line: 0,
  staged: 0,
  duplicate: 0,
  amended: 0,
  hidden_rows: 0,
  invalid: 0,
  skipped: 0,
  non_data: 0,
  blank: 0,
} as const;

/**
 * Writes what becomes of a file now, without staged rows, under the name of this arrival.
 * @param once what stays as it was where the source has delivered these bytes before.
 * @returns the drop's number.
 */
export async function writeDrop(
  ledger: Ledger,
  { source, identity, part = '', fileName, runId }: DropFacts,
  values: Partial<Selectable<Tables['drop_file']>> & { readonly state: DropState },
  once: Pick<Insertable<Tables['drop_file']>, 'format' | 'operation' | 'environment'>,
): Promise<number> {
  const taken_at = isoFromMs(ledger.clock.nowMs());
  const described = { ...NOTHING_STAGED, file_name: fileName, run_id: runId, taken_at, ...values };
  const { dropId } = await ledger.db
    .insertInto('drop_file')
    .values({ ...described, ...once, source, ...identity, part })
    .onConflict((conflict) => conflict.columns(['source', 'sha256', 'part']).doUpdateSet(described))
    .returning('drop_id as dropId')
    .executeTakeFirstOrThrow();
  return dropId;
}

/** Gives columns of a drop these values. */
export async function updateDrop(
  ledger: Ledger,
  dropId: number,
  values: Updateable<Tables['drop_file']>,
): Promise<void> {
  await ledger.db.updateTable('drop_file').set(values).where('drop_id', '=', dropId).execute();
}

/**
 * The drops that are half staged, by their source, which has one at most: their process died, or another process is staging them
 * now.
 */
export async function unfinishedDrops(ledger: Ledger) {
  return ledger.db
    .selectFrom('drop_file')
    .select(['drop_id as dropId', 'source', 'sha256'])
    .where('state', '=', sql.lit('staging'))
    .orderBy('source')
    .execute();
}

/** Condition on a column of drop numbers: the drop's rows count, because it is not being staged. */
export function isStaged(dropId: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(dropId)} not in (select u.drop_id from drop_file u where u.state = 'staging')`;
}

/** Condition on `drop as d`: a file of this name, with all of its sheets where several are a drop each. */
export function fileNamed(name: string): RawBuilder<boolean> {
  return sql<boolean>`(d.file_name = ${name} or (d.part <> '' and d.file_name = ${name} || '#' || d.part))`;
}

/** What names a drop to people, where `drop_file` is selected from as `d`. */
export const DROP_NAMED = ['d.drop_id as drop', 'd.source', 'd.file_name as file', 'd.sha256'] as const;

/** One drop's control totals. */
export async function dropDispositions(ledger: Ledger, dropId: number): Promise<Record<Disposition, number>> {
  const totals = query
    .selectFrom('drop_file')
    .select(['staged', 'duplicate', 'amended', 'invalid', 'skipped', 'non_data as non-data', 'blank'])
    .where('drop_id', '=', dropId);
  return (await first(ledger, totals)) as Record<Disposition, number>;
}
