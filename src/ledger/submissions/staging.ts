import { sql } from 'kysely';
import type { HeldCause } from '../../domain/cause.js';
import { type AdmissionRule, admit, countedAs, heldWhenNew, mayAmend } from '../../domain/delivery/judge.js';
import { afterPublication } from '../../domain/delivery/slot.js';
import type { Issue } from '../../domain/issue.js';
import { failpoint } from '../../domain/process/failpoint.js';
import type { Disposition } from '../../domain/row.js';
import type { Operation } from '../../operations/operation.js';
import { restoredAt } from '../decisions/restored.js';
import { insertRedropRow, type Original } from '../drops/again/original-rows.js';
import type { RowBlock } from '../drops/rows/pack-rows.js';
import { insertRowBlock } from '../drops/rows/row-blocks.js';
import { holdsLease, isAnyonePushing, type Lease } from '../leases/leases.js';
import { fitToSize } from '../store/open.js';
import { paged, pagesOf } from '../store/pages.js';
import {
  all,
  beginsLike,
  bytes,
  change,
  first,
  type Ledger,
  prepared,
  query,
  writing,
} from '../store/query.js';
import { carryOut } from './carry-out.js';
import { submissionSum, targetSum } from './record/checksum.js';
import { occurredAt, SLOT_DIGITS } from './record/keys.js';
import type { PreparedRecord } from './record/prepared-record.js';
import { placeIn } from './record/record-text.js';
import { formerRecords, revisionsOf } from './revisions.js';
import { slotsOf } from './slots.js';
import { unsentStates } from './transitions.js';

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
  /** Records in line order: it decides which of them goes first, and which of two of one key repeats or amends the other. */
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

/** A batch of a drop's rows that is written. */
export interface StagedBatch {
  /** True while some process delivers: whoever writes on must leave it room. */
  readonly isShared: boolean;
  /** How many submissions the ledger has by now, those that were deleted among them. */
  readonly submissions: number;
}

/**
 * Writes rows of a drop, which nobody counts before the drop is published.
 * @returns null, nothing being written, when the stage lease has gone to another owner.
 */
export async function stageBatch(
  ledger: Ledger,
  lease: Lease,
  target: StagingTarget,
  { rows, blocks, originals }: PreparedRows,
): Promise<StagedBatch | null> {
  fitToSize(ledger.sqlite);
  return writing(ledger, async (ledger) => {
    if (!(await holdsLease(ledger, lease))) return null;
    const counts = noDispositions();
    let further = 0;
    const make = submissionMaker(ledger, target);
    for (const block of blocks) insertRowBlock(ledger, target.dropId, block);
    for (const row of rows) {
      if (row.kind === 'record' && row.further !== undefined) {
        const list = stageList(ledger, target, row, row.further, make);
        counts[list.disposition] += 1;
        further += list.further;
        noteLeftOut(ledger, target.dropId, row, list.disposition);
      } else {
        const lines = row.kind === 'blank' ? (row.lines ?? 1) : 1;
        counts[stageRow(ledger, target, row, make)] += lines;
      }
    }
    for (const [line, of] of originals ?? []) insertRedropRow(ledger, { dropId: target.dropId, line }, of);
    const last = blocks.at(-1);
    if (last) {
      await change(
        ledger,
        query
          .updateTable('drop_file')
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
    const submissions = prepared(ledger, LAST_SUBMISSION).pluck().get() as number | null;
    return { isShared: await isAnyonePushing(ledger), submissions: submissions ?? 0 };
  });
}

const LAST_SUBMISSION = 'select max(submission_id) from submission';

/** Zero of each disposition. */
export function noDispositions(): Record<Disposition, number> {
  return { staged: 0, duplicate: 0, amended: 0, invalid: 0, skipped: 0, 'non-data': 0, blank: 0 };
}

/**
 * Applies a published drop: earlier revisions that were never sent make room for its own, and what a guard would hold is held.
 * The guards ask the same again before anything is sent; doing it here as well lets `status` say so before. May be
 * repeated; each transaction is short, a page for each step.
 */
export function applyDrop(ledger: Ledger, dropId: number, runId: number | null): AsyncGenerator<void> {
  return paged(ledger, applyPages(ledger, dropId, runId));
}

async function* applyPages(ledger: Ledger, dropId: number, runId: number | null): AsyncGenerator<void> {
  for (const find of [perhapsSuperseded, perhapsHeld]) {
    for (const page of pagesOf(await find(ledger, dropId))) {
      await writing(ledger, async (ledger) => {
        const slots = await slotsOf(ledger, page);
        const found = page.flatMap((id) => slots.get(id) ?? []);
        await carryOut(
          ledger,
          found.map(({ own, slot }) => afterPublication(slot, own)),
          { runId },
        );
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
  const first = make(row);
  const further = others.map((other) => make({ ...other, kind: 'record', line: row.line }));
  const parts = [first, ...further] as const;
  const { disposition } = countedAs(parts);
  const repeated = parts.filter((one) => one.disposition === 'duplicate').map((one) => one.submissionId);
  // Where all of them repeat something the row itself is a duplicate, of the first.
  const ofRow = disposition === 'duplicate' ? repeated.shift() : undefined;
  if (ofRow !== undefined) insertRow(ledger, dropId, row.line, 'duplicate', ofRow);
  repeated.forEach((submissionId, part) => {
    prepared(ledger, INSERT_PART).run(dropId, row.line, part, submissionId);
  });
  const submissions = parts.filter((one) => one.disposition !== 'duplicate').length;
  return { disposition, further: Math.max(0, submissions - 1) };
}

const INSERT_PART = query
  .insertInto('row_part')
  .values({ drop_id: 0, line: 0, part: 0, submission_id: 0 })
  .compile().sql;

/**
 * Makes of a record the submission it becomes, or finds the one it repeats. To be called in a write transaction. `replacedId`
 * is the submission whose place it takes, where it doesn't come from a file.
 */
export type SubmissionMaker = (
  row: PreparedRow & { kind: 'record' },
  replacedId?: number,
) => {
  readonly disposition: 'staged' | 'duplicate' | 'amended';
  readonly submissionId: number;
};

export function submissionMaker(ledger: Ledger, target: StagingTarget): SubmissionMaker {
  const rule: AdmissionRule = {
    kind: target.operation.kind,
    sendAmendments: target.sendAmendments,
    isRedrop: target.isRedrop ?? false,
    restoredAt: restoredAt(ledger),
  };
  const overrides = mayAmend(rule) ? 'amended' : null;
  const inserters = new Map<HeldCause | null, ReturnType<typeof submissionInserter>>();
  const inserterOf = (heldFor: HeldCause | null) => {
    const known = inserters.get(heldFor);
    if (known) return known;
    const inserter = submissionInserter(ledger, target, overrides, heldFor);
    inserters.set(heldFor, inserter);
    return inserter;
  };
  // Nearly no ledger was restored, and most keys are never asked for their times.
  const heldAtOnce = ({ keys }: PreparedRecord) =>
    rule.restoredAt === null ? null : heldWhenNew(occurredAt(keys.key), rule);
  return (row, movedFrom) => {
    // Most records are new: try the insert, and look at what is there only when the key is taken.
    if (row.formers === undefined) {
      const inserted = inserterOf(heldAtOnce(row))(row, 1);
      if (inserted !== null) return { disposition: 'staged', submissionId: inserted };
    }
    const revisions = revisionsOf(ledger, row.keys);
    const formers = formerRecords(ledger, row.formers);
    const { key, content } = row.keys;
    const admission = admit({ content, occurredAt: occurredAt(key), movedFrom }, revisions, formers, rule);
    if (admission.disposition === 'duplicate')
      return { disposition: 'duplicate', submissionId: admission.of };
    const { disposition, revision, heldFor } = admission;
    const submissionId = inserterOf(heldFor)(row, revision);
    if (submissionId === null) throw new Error(`revision ${revision} of a key is already taken`);
    return { disposition, submissionId };
  };
}

/**
 * The hot path: one prepared statement, one row a call (multi-row inserts are slower in better-sqlite3), and what is the
 * same for all rows written into it, because each text that is bound costs as much as a column. The function gives null
 * when the revision is taken.
 */
function submissionInserter(
  ledger: Ledger,
  target: StagingTarget,
  overrides: 'amended' | null,
  heldCause: HeldCause | null,
) {
  const statement = prepared(ledger, insertText(heldCause, overrides));
  const { dropId, operation } = target;
  const decisionId = target.decisionId ?? null;
  const environmentId = environmentNamed(ledger, target.environment);
  const shapeId = shapesOf(ledger, operation);
  const ofTarget = targetSum({ ...target, operation: operation.name });
  return ({ line, keys, record, sum }: PreparedRow & { kind: 'record' }, revision: number) => {
    const { changes, lastInsertRowid } = statement.run(
      dropId,
      line,
      environmentId,
      shapeId(record.shape),
      keys.key,
      revision,
      keys.content,
      record.values,
      submissionSum(ofTarget, sum, line, revision),
      decisionId,
    );
    return changes === 1 ? Number(lastInsertRowid) : null;
  };
}

/** Built once for what is the same for all rows: building it takes as long as inserting several. */
function insertText(heldCause: HeldCause | null, overrides: 'amended' | null): string {
  const name = JSON.stringify([heldCause, overrides]);
  const known = INSERTS.get(name);
  if (known !== undefined) return known;
  const { sql: text } = query
    .insertInto('submission')
    .values({
      state: sql.lit(heldCause === null ? 'waiting' : 'held'),
      cause: sql.lit(heldCause),
      overrides: sql.lit(overrides),
      drop_id: 0,
      line: 0,
      environment_id: 0,
      shape_id: 0,
      key: bytes(''),
      revision: 1,
      content: bytes(''),
      record: '',
      sum: 0,
      decision_id: 0,
    })
    .onConflict((conflict) => conflict.columns(['key', 'revision']).doNothing())
    .compile();
  INSERTS.set(name, text);
  return text;
}

const INSERTS = new Map<string, string>();

/** The number of an environment, which it gets here where it has none. */
function environmentNamed(ledger: Ledger, name: string): number {
  prepared(ledger, ADD_ENVIRONMENT).run(name);
  return prepared(ledger, ENVIRONMENT).pluck().get(name) as number;
}

const ADD_ENVIRONMENT = 'insert into environment (name) values (?) on conflict do nothing';
const ENVIRONMENT = 'select environment_id from environment where name = ?';

/** The function that gives the number of a shape of an operation's records, which it gets here where it has none. */
function shapesOf(ledger: Ledger, { name, fields }: Operation): (shape: string) => number {
  const isAboutLearner = fields.some(({ kind }) => kind === 'learner') ? 1 : 0;
  const known = new Map<string, number>();
  let last = '';
  let lastId = 0;
  return (shape) => {
    if (shape === last) return lastId;
    lastId = known.get(shape) ?? numbered(shape);
    last = shape;
    known.set(shape, lastId);
    return lastId;
  };

  function numbered(shape: string): number {
    prepared(ledger, ADD_SHAPE).run(name, shape, placeIn(shape, 'content-id'), isAboutLearner);
    return prepared(ledger, SHAPE).pluck().get(name, shape) as number;
  }
}

const ADD_SHAPE = `insert into shape (operation, fields, content_place, about_learner) values (?, ?, ?, ?)
  on conflict do nothing`;
const SHAPE = 'select shape_id from shape where operation = ? and fields = ?';

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

/** Submissions that were not sent, of whose key the drop has brought a newer revision. */
async function perhapsSuperseded(ledger: Ledger, dropId: number): Promise<number[]> {
  const found = await all(
    ledger,
    query
      .selectFrom('submission as newer')
      .innerJoin('submission as older', 'older.key', 'newer.key')
      .select('older.submission_id as id')
      .where('newer.drop_id', '=', dropId)
      // Not bound: the index of revisions serves only this very condition.
      .where(sql<boolean>`newer.revision > 1`)
      .whereRef('older.revision', '<', 'newer.revision')
      .where(sql<boolean>`older.state in (${unsentStates})`)
      .groupBy('older.submission_id'),
  );
  return found.map(({ id }) => id);
}

/** The drop's submissions that wait although their learner is on hold, or something later was accepted for their slot. */
async function perhapsHeld(ledger: Ledger, dropId: number): Promise<number[]> {
  // In a ledger that never held or delivered anything there is nothing to ask each row about.
  const anyHold = await first(ledger, query.selectFrom('learner_hold').select('learner').limit(1));
  const anyAccepted = await first(
    ledger,
    query.selectFrom('response').select('response_id').where('outcome', '=', 'accepted').limit(1),
  );
  const waiting = query
    .selectFrom('submission_in_words as s')
    .select('s.submission_id as id')
    .where('s.drop_id', '=', dropId)
    .where('s.state', '=', 'waiting');
  const unknown = waiting.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('learner_hold as h')
        .select('h.learner')
        .whereRef('h.environment', '=', 's.environment')
        .whereRef('h.learner', '=', 's.learner'),
    ),
  );
  const older = waiting.where('s.occurred', 'is not', null).where(({ exists, selectFrom }) =>
    exists(
      selectFrom('submission as m')
        .select('m.submission_id')
        .where(beginsLike('m.key', sql.ref('s.key'), SLOT_DIGITS))
        .where('m.state', '=', 'accepted')
        // Keys of a slot are in the order of their times.
        .whereRef('m.key', '>', 's.key'),
    ),
  );
  const found = [
    ...(anyHold ? await all(ledger, unknown) : []),
    ...(anyAccepted ? await all(ledger, older) : []),
  ];
  return [...new Set(found.map(({ id }) => id))];
}
