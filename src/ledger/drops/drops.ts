import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { DropFormat, DropIdentity, DropState } from '../../domain/drop.js';
import { DISPOSITIONS } from '../../domain/row.js';
import { isAmong } from '../store/dialect.js';
import { all, change, first, inserted, type Ledger, preparedQuery, query } from '../store/query.js';
import type { Tables } from '../store/schema.js';
import { expectResult } from './results.js';

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
  /** An earlier run left it in processing/, and may have recorded its arrival. */
  readonly isResumed: boolean;
  /** Its sender gets a result; absent: its source has no target for results. */
  readonly hasResult?: boolean;
}

/** A file with its format; null: not recognised. */
export type FormattedDrop = DropFacts & { readonly format: DropFormat | null };

/**
 * The source's drop with these bytes; undefined: there is none. Rows up to `stagedLine` are staged. `settings`: the
 * digest of the settings under which staging began; null: the header wasn't found yet.
 */
export function findDrop(
  ledger: Ledger,
  { source, identity, part = '' }: Pick<DropFacts, 'source' | 'identity' | 'part'>,
) {
  return first(ledger, DROP_OF({ source, sha256: identity.sha256, part }));
}

const DROP_OF = preparedQuery(
  ({ source, sha256, part }: { readonly source: string; readonly sha256: string; readonly part: string }) =>
    query
      .selectFrom('drop_file')
      .select(['drop_id as dropId', 'state', 'staged_line as stagedLine', 'settings'])
      .where('source', '=', source)
      .where('sha256', '=', sha256)
      .where('part', '=', part),
);

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
 * Inserts or updates a drop without staged rows, under the name of this arrival, and its result, which is then due.
 * @returns the drop's number.
 */
export async function writeDrop(
  ledger: Ledger,
  drop: FormattedDrop,
  values: Partial<Selectable<Tables['drop_file']>> & { readonly state: DropState },
): Promise<number> {
  const { source, identity, part = '', format, operation, environment } = drop;
  const { fileName: file_name, runId: run_id, hasResult = false } = drop;
  const taken_at = isoFromMs(ledger.clock.nowMs());
  const about = { ...values, source, part, file_name, run_id, taken_at };
  const { dropId } = await inserted(
    ledger,
    WRITTEN({ ...about, ...identity, format, operation, environment }),
  );
  if (hasResult) await expectResult(ledger, dropId);
  return dropId;
}

const WRITTEN = preparedQuery((values: Insertable<Tables['drop_file']>) => {
  const drop = { ...NOTHING_STAGED, ...values };
  const { source, sha256, bytes, part, ...described } = drop;
  return query
    .insertInto('drop_file')
    .values(drop)
    .onConflict((conflict) => conflict.columns(['source', 'sha256', 'part']).doUpdateSet(described))
    .returning('drop_id as dropId');
});

export async function updateDrop(
  ledger: Ledger,
  dropId: number,
  values: Updateable<Tables['drop_file']>,
): Promise<void> {
  await change(ledger, UPDATED({ ...values, dropId }));
}

const UPDATED = preparedQuery(
  ({ dropId, ...values }: Updateable<Tables['drop_file']> & { readonly dropId: number }) =>
    query.updateTable('drop_file').set(values).where('drop_id', '=', dropId),
);

/** The half staged drops, by source, at most one each: their process died, or another process is staging them now. */
export async function unfinishedDrops(ledger: Ledger) {
  return ledger.db
    .selectFrom('drop_file')
    .select(['drop_id as dropId', 'source', 'sha256'])
    .where('state', '=', sql.lit('staging'))
    .orderBy('source')
    .execute();
}

/** Condition on a column of drop numbers: the drop isn't half staged, so its rows count. */
export function isStaged(dropId: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(dropId)} not in (select u.drop_id from drop_file u where u.state = 'staging')`;
}

/** Condition on `drop as d`: it is a file with this name, or a sheet of it. */
export function fileNamed(name: string): RawBuilder<boolean> {
  return sql<boolean>`(d.file_name = ${name} or (d.part <> '' and d.file_name = ${name} || '#' || d.part))`;
}

/** The columns of `drop_file as d` that identify a drop to people. */
export const DROP_NAMED = ['d.drop_id as drop', 'd.source', 'd.file_name as file', 'd.sha256'] as const;

/** Reads the state of a drop, and the counts of its rows by disposition. */
export async function dropCounts(ledger: Ledger, dropId: number) {
  const { state, ...dispositions } = await inserted(ledger, COUNTS({ dropId }));
  return { state, dispositions };
}

export async function dispositionsOf(ledger: Ledger, dropIds: readonly number[]) {
  const counts = query
    .selectFrom('drop_file')
    .select(['drop_id as dropId', ...DISPOSITION_COUNTS])
    .where(isAmong('drop_id', dropIds));
  return new Map((await all(ledger, counts)).map(({ dropId, ...dispositions }) => [dropId, dispositions]));
}

/** The columns of `drop_file` with the counts of its rows by disposition. */
const DISPOSITION_COUNTS = DISPOSITIONS.map((name) =>
  sql<number>`${sql.ref(name.replace('-', '_'))}`.as(name),
);

const COUNTS = preparedQuery(({ dropId }: { readonly dropId: number }) =>
  query
    .selectFrom('drop_file')
    .select(['state', ...DISPOSITION_COUNTS])
    .where('drop_id', '=', dropId),
);
