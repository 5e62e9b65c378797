import { sql } from 'kysely';
import type { HeldCause } from '../domain/cause.js';
import { failpoint } from '../domain/failpoint.js';
import type { Issue } from '../domain/issue.js';
import type { Disposition } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import { OPERATIONS } from '../operations/registry.js';
import { submissionSum, targetSum } from './checksum.js';
import { formerRows } from './former-rows.js';
import { type RecordKeys, SLOT_DIGITS } from './keys.js';
import { holdsLease, type Lease } from './leases.js';
import type { RowBlock } from './pack-rows.js';
import { pagesOf } from './pages.js';
import {
  all,
  beginsLike,
  bytes,
  change,
  first,
  type Ledger,
  learnerBytes,
  prepared,
  query,
  writing,
} from './query.js';
import { insertRedropRow, type Original } from './redrop-rows.js';
import { restoredAt } from './restored.js';
import { judge, revisionsOf } from './revisions.js';
import { insertRowBlock } from './row-blocks.js';
import { move } from './transitions.js';

/** A record ready to be written, with its keys. */
export interface PreparedRecord {
  /** JSON of the record's fields. */
  readonly record: string;
  readonly keys: RecordKeys;
  /** ISO time that orders it in its slot; null where arrival does. */
  readonly occurredAt: string | null;
  /** Its keys under each identifier that was corrected to its learner's; absent: there is none. */
  readonly formers?: readonly RecordKeys[];
}

/** A row ready to be written: normalised, with its keys. */
export type PreparedRow = { readonly line: number } & (
  | (PreparedRecord & {
      readonly kind: 'record';
      /** Its further records, where a cell lists several things; absent: there is none. */
      readonly further?: readonly PreparedRecord[];
      /** What of the row its records do without; absent: nothing. */
      readonly leftOut?: readonly Issue[];
    })
  | { readonly kind: 'invalid' | 'skipped' | 'non-data'; readonly issues: readonly Issue[] }
  /** `lines` as in `Row`. */
  | { readonly kind: 'blank'; readonly lines?: number }
  /** Known to repeat a submission before it is written. */
  | { readonly kind: 'duplicate'; readonly of: number }
);

/** Rows of a drop ready to be written that follow on those written before. */
export interface PreparedRows {
  /** In any order, but for those of one key: which of them comes first decides which repeats or amends the other. */
  readonly rows: Iterable<PreparedRow>;
  /** The cells of all of them as they were read, in line order. */
  readonly blocks: readonly RowBlock[];
  /** For the lines of a corrected attention file's rows: which rows they stand for. */
  readonly originals?: ReadonlyMap<number, Original>;
}

/** What all rows of a drop have in common. */
export interface StagingTarget {
  readonly dropId: number;
  readonly operation: Operation;
  readonly environment: string;
  /** Where a correction of an accepted record is sent without asking. */
  readonly sendAmendments: boolean;
  /** The decision that makes the submissions; absent: staging does. */
  readonly decisionId?: number;
  /** True where rows are corrected ones: then one may go back to what a correction has replaced. */
  readonly isRedrop?: boolean;
}

/**
 * Writes rows of a drop in one transaction; nobody counts them before the drop is published. Returns null, having
 * written nothing, when the stage lease has gone to another owner.
 */
export function stagePrepared(
  ledger: Ledger,
  lease: Lease,
  target: StagingTarget,
  { rows, blocks, originals }: PreparedRows,
): Record<Disposition, number> | null {
  return writing(ledger, () => {
    if (!holdsLease(ledger, lease)) return null;
    const counts = noDispositions();
    let further = 0;
    const make = submissionMaker(ledger, target);
    for (const block of blocks) insertRowBlock(ledger, target.dropId, block);
    for (const row of rows) {
      if (row.kind === 'record' && row.further !== undefined) {
        const made = stageList(ledger, target, row, row.further, make);
        counts[made.disposition] += 1;
        further += made.further;
        noteLeftOut(ledger, target.dropId, row, made.disposition);
      } else {
        const lines = row.kind === 'blank' ? (row.lines ?? 1) : 1;
        counts[stageRow(ledger, target, row, make)] += lines;
      }
    }
    for (const [line, of] of originals ?? []) insertRedropRow(ledger, { dropId: target.dropId, line }, of);
    const last = blocks.at(-1);
    if (last) {
      change(
        ledger,
        query
          .updateTable('drop')
          .set({
            staged_line: last.lastLine,
            staged: sql<number>`staged + ${counts.staged}`,
            duplicate: sql<number>`duplicate + ${counts.duplicate}`,
            amended: sql<number>`amended + ${counts.amended}`,
            invalid: sql<number>`invalid + ${counts.invalid}`,
            skipped: sql<number>`skipped + ${counts.skipped}`,
            non_data: sql<number>`non_data + ${counts['non-data']}`,
            blank: sql<number>`blank + ${counts.blank}`,
            further: sql<number>`further + ${further}`,
          })
          .where('drop_id', '=', target.dropId),
      );
    }
    failpoint('batch-written');
    return counts;
  });
}

/** Zero of each disposition. */
export function noDispositions(): Record<Disposition, number> {
  return { staged: 0, duplicate: 0, amended: 0, invalid: 0, skipped: 0, 'non-data': 0, blank: 0 };
}

/**
 * After publishing: earlier revisions that were never sent make room for the drop's, and what is older than
 * something already accepted for its slot is held. The guards ask the same again before anything is sent; doing it
 * here as well lets `status` say so before. May be repeated; each transaction is short, a page for each step.
 */
export function* settleDrop(ledger: Ledger, dropId: number, runId: number | null): Generator<void> {
  for (const page of pagesOf(supersededBy(ledger, dropId))) {
    writing(ledger, () => {
      for (const { id, successor } of page) {
        const current = currentState(ledger, id);
        if (!current || ['sending', 'accepted', 'replaced'].includes(current.state)) continue;
        move(ledger, current, 'replaced', { successorId: successor, cause: 'newer-revision', runId });
      }
    });
    yield;
  }
  for (const { cause, ids } of toBeHeld(ledger, dropId)) {
    for (const page of pagesOf(ids)) {
      writing(ledger, () => {
        for (const id of page) {
          const current = currentState(ledger, id);
          if (current?.state !== 'waiting') continue;
          move(ledger, current, 'guarded', { cause, runId });
        }
      });
      yield;
    }
  }
}

function stageRow(
  ledger: Ledger,
  target: StagingTarget,
  row: PreparedRow,
  make: SubmissionMaker,
): Disposition {
  if (row.kind === 'duplicate') {
    insertRow(ledger, target.dropId, row.line, row.kind, row.of);
    return row.kind;
  }
  if (row.kind === 'blank') {
    prepared(ledger, INSERT_BLANK).run(target.dropId, row.line, row.kind, row.lines ?? 1);
    return row.kind;
  }
  if (row.kind !== 'record') {
    insertRow(ledger, target.dropId, row.line, row.kind, null);
    insertIssues(ledger, target.dropId, row.line, row.issues);
    return row.kind;
  }
  const { disposition, submissionId } = make(row);
  if (disposition === 'duplicate') insertRow(ledger, target.dropId, row.line, disposition, submissionId);
  noteLeftOut(ledger, target.dropId, row, disposition);
  return disposition;
}

/**
 * Keeps what of a row its records do without. A row that repeats a submission says nothing new: what it lacks, that
 * one's row lacks too, or never had.
 * @param behind how many issues the row has already, where it was read before.
 */
export function noteLeftOut(
  ledger: Ledger,
  dropId: number,
  { line, leftOut }: PreparedRow & { kind: 'record' },
  disposition: Disposition,
  behind = 0,
): void {
  if (leftOut === undefined || disposition === 'duplicate') return;
  insertIssues(ledger, dropId, line, leftOut, behind);
}

/**
 * A row of several records: it counts once, as staged when any of them is, and those that repeat something are kept as
 * parts of it.
 * @returns also how many submissions it made beyond one.
 */
function stageList(
  ledger: Ledger,
  { dropId }: StagingTarget,
  row: PreparedRow & { kind: 'record' },
  others: readonly PreparedRecord[],
  make: SubmissionMaker,
): { disposition: Disposition; further: number } {
  const made = [row, ...others.map((other) => ({ ...other, kind: 'record' as const, line: row.line }))].map(
    (record) => make(record),
  );
  const disposition =
    (['staged', 'amended'] as const).find((name) => made.some((one) => one.disposition === name)) ??
    'duplicate';
  const repeated = made.filter((one) => one.disposition === 'duplicate').map((one) => one.submissionId);
  // Where all of them repeat something the row itself is a duplicate, of the first.
  const ofRow = disposition === 'duplicate' ? repeated.shift() : undefined;
  if (ofRow !== undefined) insertRow(ledger, dropId, row.line, 'duplicate', ofRow);
  repeated.forEach((submissionId, part) => {
    prepared(ledger, INSERT_PART).run(dropId, row.line, part, submissionId);
  });
  const submissions = made.filter((one) => one.disposition !== 'duplicate').length;
  return { disposition, further: Math.max(0, submissions - 1) };
}

const INSERT_PART = query
  .insertInto('row_part')
  .values({ drop_id: 0, line: 0, part: 0, submission_id: 0 })
  .compile().sql;

/**
 * Makes of a record the submission it becomes, or finds the one it repeats. To be called in a write transaction. `moved`
 * is the submission whose place it takes, where it doesn't come from a file.
 */
export type SubmissionMaker = (
  row: PreparedRow & { kind: 'record' },
  moved?: number,
) => {
  readonly disposition: 'staged' | 'duplicate' | 'amended';
  readonly submissionId: number;
};

export function submissionMaker(ledger: Ledger, target: StagingTarget): SubmissionMaker {
  const insertWaiting = submissionInserter(ledger, target, null);
  const insertRestored = submissionInserter(ledger, target, 'restored');
  const restored = restoredAt(ledger);
  const insertNew: typeof insertWaiting = (row, revision) =>
    restored !== null && (row.occurredAt ?? '') <= restored
      ? insertRestored(row, revision)
      : insertWaiting(row, revision);
  const { kind } = target.operation;
  const holdsAmendments = !target.sendAmendments && kind === 'occurrences';
  return (row, moved) => {
    // Most records are new: try the insert, and look at what is there only when the key is taken.
    const inserted = row.formers === undefined ? insertNew(row, 1) : null;
    if (inserted !== null) return { disposition: 'staged', submissionId: inserted };
    const revisions = revisionsOf(ledger, row.keys);
    const judgement = judge(row.keys.content, revisions, kind, target.isRedrop);
    if (judgement.disposition === 'duplicate')
      return { disposition: 'duplicate', submissionId: judgement.of };
    const before = formerRows(ledger, row, kind, moved);
    if (before.repeats !== null) return { disposition: 'duplicate', submissionId: before.repeats };
    const accepted = before.hasAccepted || revisions.some((known) => known.state === 'accepted');
    const held = accepted && holdsAmendments ? 'amended' : before.hasLater ? 'out-of-order' : null;
    const insert = held === null ? insertNew : submissionInserter(ledger, target, held);
    const submissionId = insert(row, judgement.revision);
    if (submissionId === null) throw new Error(`revision ${judgement.revision} of a key is already taken`);
    return { disposition: judgement.disposition, submissionId };
  };
}

/**
 * The hot path: one prepared statement, one row a call (multi-row inserts are slower in better-sqlite3), and what is the
 * same for all rows written into it, because each text that is bound costs as much as a column. The function gives null
 * when the revision is taken.
 */
function submissionInserter(ledger: Ledger, target: StagingTarget, heldCause: HeldCause | null) {
  const pass = target.sendAmendments || target.operation.kind !== 'occurrences' ? 'amended' : null;
  const statement = prepared(ledger, insertText(target.operation.name, target.environment, heldCause, pass));
  const decisionId = target.decisionId ?? null;
  const ofTarget = targetSum({ ...target, operation: target.operation.name });
  return ({ line, keys, occurredAt, record }: PreparedRow & { kind: 'record' }, revision: number) => {
    const { slot, key, content } = keys;
    const learner = keys.learner ?? '';
    const sum = submissionSum(ofTarget, { line, revision, learner, slot, key, content, occurredAt, record });
    const { changes, lastInsertRowid } = statement.run(
      target.dropId,
      decisionId,
      line,
      revision,
      learner,
      slot,
      key,
      content,
      occurredAt,
      record,
      sum,
    );
    return changes === 1 ? Number(lastInsertRowid) : null;
  };
}

/** Built once for what is the same for all rows: building it takes as long as inserting several. */
function insertText(
  operation: string,
  environment: string,
  heldCause: HeldCause | null,
  pass: 'amended' | null,
): string {
  const name = JSON.stringify([operation, environment, heldCause, pass]);
  const known = INSERTS.get(name);
  if (known !== undefined) return known;
  const { sql: text } = query
    .insertInto('submission')
    .values({
      operation: sql.lit(operation),
      environment: sql.lit(environment),
      state: sql.lit(heldCause === null ? 'waiting' : 'held'),
      cause: sql.lit(heldCause),
      pass: sql.lit(pass),
      drop_id: 0,
      decision_id: 0,
      line: 0,
      revision: 1,
      learner: learnerBytes(''),
      slot: bytes(''),
      key: bytes(''),
      content: bytes(''),
      occurred_at: '',
      record: '',
      sum: 0,
    })
    .onConflict((conflict) => conflict.columns(['key', 'revision']).doNothing())
    .compile();
  INSERTS.set(name, text);
  return text;
}

const INSERTS = new Map<string, string>();

function insertRow(
  ledger: Ledger,
  dropId: number,
  line: number,
  disposition: Exclude<Disposition, 'staged' | 'amended'>,
  submissionId: number | null,
): void {
  prepared(ledger, INSERT_ROW).run(dropId, line, disposition, submissionId);
}

const INSERT_ROW = query
  .insertInto('row')
  .values({ drop_id: 0, line: 0, disposition: 'invalid', submission_id: 0 })
  .compile().sql;

const INSERT_BLANK = query
  .insertInto('row')
  .values({ drop_id: 0, line: 0, disposition: 'blank', lines: 1 })
  .compile().sql;

function insertIssues(
  ledger: Ledger,
  dropId: number,
  line: number,
  issues: readonly Issue[],
  behind = 0,
): void {
  issues.forEach((issue, ordinal) => {
    prepared(ledger, INSERT_ISSUE).run(
      dropId,
      line,
      behind + ordinal,
      issue.code,
      issue.column,
      issue.value,
      issue.message,
      issue.remedy,
    );
  });
}

const INSERT_ISSUE = query
  .insertInto('issue')
  .values({
    drop_id: 0,
    line: 0,
    ordinal: 0,
    code: 'value-missing',
    column_name: '',
    value: '',
    message: '',
    remedy: '',
  })
  .compile().sql;

/** Of these a newer revision is a step after the earlier ones. */
const STEPS = OPERATIONS.filter(({ kind }) => kind === 'steps').map(({ name }) => name);

function supersededBy(ledger: Ledger, dropId: number): { id: number; successor: number }[] {
  return all(
    ledger,
    query
      .selectFrom('submission as newer')
      .innerJoin('submission as older', 'older.key', 'newer.key')
      .select(['older.submission_id as id', sql<number>`max(newer.submission_id)`.as('successor')])
      .where('newer.drop_id', '=', dropId)
      // Not bound: the index of revisions serves only this very condition.
      .where(sql<boolean>`newer.revision > 1`)
      .whereRef('older.revision', '<', 'newer.revision')
      .where('older.state', 'in', ['waiting', 'held', 'rejected', 'failed', 'in-doubt'])
      .where('newer.operation', 'not in', STEPS)
      .groupBy('older.submission_id'),
  );
}

/** Waiting submissions of the drop that a guard would hold. */
function toBeHeld(ledger: Ledger, dropId: number): { cause: HeldCause; ids: number[] }[] {
  // In a ledger that never held or delivered anything there is nothing to ask each row about.
  const anyHold = first(ledger, query.selectFrom('learner_hold').select('learner').limit(1));
  const anyAccepted = first(
    ledger,
    query.selectFrom('response').select('response_id').where('outcome', '=', 'accepted').limit(1),
  );
  const waiting = query
    .selectFrom('submission as s')
    .select('s.submission_id as id')
    .where('s.drop_id', '=', dropId)
    .where('s.state', '=', 'waiting')
    .where(sql<boolean>`s.pass is not 'all'`);
  const unknown = waiting.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('learner_hold as h')
        .select('h.learner')
        .whereRef('h.environment', '=', 's.environment')
        .whereRef('h.learner', '=', 's.learner'),
    ),
  );
  const older = waiting.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('submission as m')
        .select('m.submission_id')
        .where(beginsLike('m.key', sql.ref('s.slot'), SLOT_DIGITS))
        .whereRef('m.slot', '=', 's.slot')
        .where('m.state', '=', 'accepted')
        .whereRef('m.occurred_at', '>', 's.occurred_at'),
    ),
  );
  return [
    { cause: 'learner-unknown', ids: anyHold ? all(ledger, unknown).map(({ id }) => id) : [] },
    { cause: 'out-of-order', ids: anyAccepted ? all(ledger, older).map(({ id }) => id) : [] },
  ];
}

function currentState(ledger: Ledger, submissionId: number) {
  return first(
    ledger,
    query
      .selectFrom('submission')
      .select(['submission_id as id', 'state'])
      .where('submission_id', '=', submissionId),
  );
}
