import { isoFromMs } from '../domain/clock.js';
import type { DropFormat, DropIdentity, DropState, SheetLeft } from '../domain/drop.js';
import { holdsLease, type Lease } from './leases.js';
import { change, first, type Ledger, prepared, query, writing } from './query.js';

/** A drop as the ledger knows it. */
export interface KnownDrop {
  readonly dropId: number;
  readonly state: DropState;
  /** Rows up to this line are staged. */
  readonly stagedLine: number;
  /** Digest of the settings its staging was begun under; null before the header was found. */
  readonly settings: string | null;
}

/** What is known of a file before it is read. */
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

/** What is known of a file once its rows can be staged. */
export interface StagingPlan {
  readonly format: DropFormat;
  readonly sheet: string | null;
  readonly headerLine: number;
  readonly header: readonly string[];
  readonly mapping: Readonly<Record<string, string>>;
  readonly settings: string;
  /** Visible sheets that are part of no drop; none of a text file. */
  readonly sheetsLeft: readonly SheetLeft[];
}

/** The drop with these bytes; undefined when the source never delivered them. */
export function findDrop(
  ledger: Ledger,
  { source, identity, part }: Pick<DropFacts, 'source' | 'identity' | 'part'>,
): KnownDrop | undefined {
  return prepared(ledger, FIND_DROP).get(source, identity.sha256, part ?? '') as KnownDrop | undefined;
}

const FIND_DROP = query
  .selectFrom('drop')
  .select(['drop_id as dropId', 'state', 'staged_line as stagedLine', 'settings'])
  .where('source', '=', '')
  .where('sha256', '=', '')
  .where('part', '=', '')
  .compile().sql;

/** True where a file's bytes count: as a drop of its source, or as corrections, whose rows are of any source. */
export function isTakenIn(ledger: Ledger, source: string, sha256: string): boolean {
  const found = prepared(ledger, TAKEN_IN).get(sha256, source);
  return found !== undefined;
}

const TAKEN_IN = `
  select 1 from "drop" d where sha256 = ? and state = 'published' and (
    source = ? or (d.part <> '' and substr(d.file_name, -length(d.part) - 1) <> '#' || d.part) or exists (select 1 from redrop_row r where r.drop_id = d.drop_id))
  limit 1`;

/** The one drop that is being staged; null when none is. */
export function stagingDrop(ledger: Ledger): number | null {
  return unfinishedDrop(ledger)?.dropId ?? null;
}

/**
 * Notes that a file with a drop's bytes came in.
 * @returns false when the run that left it in processing/ has noted it: then it came in once.
 */
export function recordArrival(
  ledger: Ledger,
  dropId: number,
  file: Pick<DropFacts, 'fileName' | 'runId' | 'isLeft'>,
): boolean {
  if (file.isLeft && isNoted(ledger, dropId, file.fileName)) return false;
  change(
    ledger,
    query.insertInto('arrival').values({
      drop_id: dropId,
      run_id: file.runId,
      file_name: file.fileName,
      arrived_at: isoFromMs(ledger.clock.nowMs()),
    }),
  );
  return true;
}

/** True when the drop's latest arrival is of this name, and of a run that has broken off or is stopped. */
function isNoted(ledger: Ledger, dropId: number, fileName: string): boolean {
  const latest = first(
    ledger,
    query
      .selectFrom('arrival')
      .innerJoin('run', 'run.run_id', 'arrival.run_id')
      .select(['arrival.file_name as fileName', 'run.end'])
      .where('arrival.drop_id', '=', dropId)
      .orderBy('arrival.arrival_id', 'desc')
      .limit(1),
  );
  return latest?.fileName === fileName && (latest.end === null || ['died', 'error'].includes(latest.end));
}

/**
 * Opens a drop for staging; one that was refused earlier is opened again. The caller holds the stage lease, and no
 * other drop is being staged.
 */
export function beginDrop(ledger: Ledger, drop: DropFacts, plan: StagingPlan): number {
  const described = {
    file_name: drop.fileName,
    format: plan.format,
    operation: drop.operation,
    environment: drop.environment,
    state: 'staging' as const,
    sheet: plan.sheet,
    header_line: plan.headerLine,
    header: JSON.stringify(plan.header),
    mapping: JSON.stringify(plan.mapping),
    settings: plan.settings,
    sheets_left: plan.sheetsLeft.length === 0 ? null : JSON.stringify(plan.sheetsLeft),
    ...NOTHING_STAGED,
    ...NOTHING_EXPECTED,
    rows_read: null,
    refusal: null,
    run_id: drop.runId,
    taken_at: isoFromMs(ledger.clock.nowMs()),
    published_at: null,
  };
  return writing(ledger, () => {
    const before = findDrop(ledger, drop);
    change(
      ledger,
      query
        .insertInto('drop')
        .values({ source: drop.source, ...drop.identity, part: drop.part ?? '', ...described })
        .onConflict((conflict) => conflict.columns(['source', 'sha256', 'part']).doUpdateSet(described)),
    );
    const { dropId } = findDrop(ledger, drop) as KnownDrop;
    // Begun anew, it is still the same file.
    if (before?.state !== 'staging') recordArrival(ledger, dropId, drop);
    return dropId;
  });
}

/** Gives a drop that an interrupted run left half staged to the run that goes on with it, whose report tells of it. */
export function resumeDrop(ledger: Ledger, dropId: number, runId: number): void {
  change(
    ledger,
    query
      .updateTable('drop')
      .set({ run_id: runId })
      .where('drop_id', '=', dropId)
      .where('state', '=', 'staging'),
  );
}

/**
 * Makes the staged rows count, all at once.
 * @returns false, nothing having changed, when the stage lease has gone to another owner.
 */
export function publishDrop(ledger: Ledger, lease: Lease, dropId: number, read: RowsRead): boolean {
  return writing(ledger, () => holdsLease(ledger, lease) && published(ledger, dropId, read));
}

/** What the reader counted over a whole drop. */
interface RowsRead {
  readonly rowsRead: number;
  /** Rows of data that the sheet hides. */
  readonly hiddenRows?: number;
}

function published(ledger: Ledger, dropId: number, { rowsRead, hiddenRows = 0 }: RowsRead): boolean {
  const { changes } = change(
    ledger,
    query
      .updateTable('drop')
      .set({
        state: 'published',
        rows_read: rowsRead,
        hidden_rows: hiddenRows,
        published_at: isoFromMs(ledger.clock.nowMs()),
      })
      .where('drop_id', '=', dropId)
      .where('state', '=', 'staging'),
  );
  return changes === 1;
}

/** Records that a file could not be taken in, and why. What was staged of it is thrown away first. */
export function refuseDrop(
  ledger: Ledger,
  drop: DropFacts & { readonly format: DropFormat | null },
  refusal: string,
): number {
  const known = findDrop(ledger, drop);
  if (known?.state === 'staging') discardRows(ledger, known.dropId);
  return writing(ledger, () => {
    const described = {
      state: 'refused' as const,
      refusal,
      ...NOTHING_STAGED,
      // As it came now: the report of this run tells of it.
      file_name: drop.fileName,
      run_id: drop.runId,
      taken_at: isoFromMs(ledger.clock.nowMs()),
    };
    change(
      ledger,
      query
        .insertInto('drop')
        .values({
          source: drop.source,
          ...drop.identity,
          part: drop.part ?? '',
          format: drop.format,
          operation: drop.operation,
          environment: drop.environment,
          sheet: null,
          header_line: null,
          header: null,
          mapping: null,
          settings: null,
          rows_read: null,
          published_at: null,
          ...described,
        })
        .onConflict((conflict) => conflict.columns(['source', 'sha256', 'part']).doUpdateSet(described)),
    );
    const { dropId } = findDrop(ledger, drop) as KnownDrop;
    recordArrival(ledger, dropId, drop);
    return dropId;
  });
}

/** Gives up a drop that was begun and can't be finished: nothing of it ever counted. */
export function abandonDrop(ledger: Ledger, dropId: number, runId: number, refusal: string): void {
  discardRows(ledger, dropId);
  change(
    ledger,
    query.updateTable('drop').set({ state: 'refused', refusal, run_id: runId }).where('drop_id', '=', dropId),
  );
}

/**
 * Takes back that a drop was begun whose file changed, or was removed, while it was staged: it is as if it had not come in. One
 * that was refused earlier is refused again.
 */
export function withdrawDrop(ledger: Ledger, dropId: number, runId: number): void {
  discardRows(ledger, dropId);
  const isKnown = first(
    ledger,
    query.selectFrom('refused_drop').select('drop_id').where('drop_id', '=', dropId),
  );
  if (isKnown) {
    abandonDrop(ledger, dropId, runId, 'It changed while it was taken in.');
    return;
  }
  writing(ledger, () => {
    change(ledger, query.deleteFrom('arrival').where('drop_id', '=', dropId));
    change(ledger, query.deleteFrom('drop').where('drop_id', '=', dropId));
  });
}

const NOTHING_STAGED = {
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

const NOTHING_EXPECTED = { expected_min: null, expected_max: null, control: null } as const;

/** Rows thrown away per transaction: well under a second of write lock. */
const DISCARD_BATCH = 20_000;

/** Throws away what was staged of a drop that is not published, in transactions short enough for a pushing process. */
export function discardRows(ledger: Ledger, dropId: number): void {
  // Nothing refers to rows that nobody saw, and checking that for each would read the whole ledger each time.
  ledger.sqlite.pragma('foreign_keys = off');
  try {
    change(ledger, query.updateTable('drop').set(NOTHING_STAGED).where('drop_id', '=', dropId));
    const lines = 'select line from drop_row where drop_id = ? order by line desc limit 1 offset ?';
    for (;;) {
      const batchFrom = prepared(ledger, lines).pluck().get(dropId, DISCARD_BATCH) as number | undefined;
      const from = batchFrom ?? 0;
      writing(ledger, () => {
        prepared(ledger, 'delete from issue where drop_id = ? and line >= ?').run(dropId, from);
        prepared(ledger, 'delete from redrop_row where drop_id = ? and line >= ?').run(dropId, from);
        prepared(ledger, 'delete from row_part where drop_id = ? and line >= ?').run(dropId, from);
        prepared(ledger, 'delete from row where drop_id = ? and line >= ?').run(dropId, from);
        prepared(ledger, 'delete from row_block where drop_id = ? and last_line >= ?').run(dropId, from);
        prepared(ledger, 'delete from submission where drop_id = ? and line >= ?').run(dropId, from);
      });
      if (batchFrom === undefined) return;
    }
  } finally {
    ledger.sqlite.pragma('foreign_keys = on');
  }
}

/** A drop that was begun and not finished: its process died, or it is being staged by another one now. */
export interface UnfinishedDrop {
  readonly dropId: number;
  readonly source: string;
  readonly sha256: string;
}

/** The drop a crash left half staged; undefined when there is none. */
export function unfinishedDrop(ledger: Ledger): UnfinishedDrop | undefined {
  return first(
    ledger,
    query.selectFrom('drop').select(['drop_id as dropId', 'source', 'sha256']).where('state', '=', 'staging'),
  );
}
