import { sql } from 'kysely';
import type { HeldCause } from '../../../domain/cause.js';
import {
  type AdmissionRule,
  admit,
  countedAs,
  heldWhenNew,
  mayAmend,
} from '../../../domain/delivery/judge.js';
import { type Issue, leadingIssue } from '../../../domain/issue.js';
import { failpoint } from '../../../domain/process/failpoint.js';
import type { Disposition } from '../../../domain/row.js';
import { familyOf } from '../../../operations/registry.js';
import { insertRedropRow } from '../../drops/again/redrop-rows.js';
import { holdsLease, isAnyonePushing, type Lease } from '../../leases/leases.js';
import { fitToSize } from '../../store/open.js';
import { change, type Ledger, prepared, query, writing } from '../../store/query.js';
import { countMore, openItem, type Standing, standingOf, standingTally } from '../open-items.js';
import type { PreparedRecord } from '../record/prepared-record.js';
import { NO_LEARNER } from '../slots.js';
import { forgetNumbers, knownNumbers, numberOfLearner } from '../subjects.js';
import { restoredAt } from './restored.js';
import { formerRecords, revisionsOf } from './revisions.js';
import type { PreparedRow, PreparedRows, StagedRow, StagingTarget } from './staged-rows.js';
import {
  environmentNamed,
  INSERT_PART,
  insertIssues,
  insertRow,
  submissionInserter,
} from './staged-statements.js';

/** A written batch of a drop's rows. */
export interface StagedBatch {
  /** True while some process delivers: the caller must let it through before it writes more. */
  readonly isShared: boolean;
  /** How many submissions the ledger has given numbers to, deleted ones included. */
  readonly submissions: number;
}

/**
 * Writes rows of a drop, which don't count before the drop is published.
 * @returns null when the stage lease has gone to another owner; then nothing is written.
 */
export async function stageBatch(
  ledger: Ledger,
  lease: Lease,
  target: StagingTarget,
  { rows, originals }: PreparedRows,
): Promise<StagedBatch | null> {
  fitToSize(ledger.file.sqlite);
  const written = writing(ledger, async (ledger) => {
    if (!(await holdsLease(ledger, lease))) return null;
    const counts = noDispositions();
    let further = 0;
    const environmentId = environmentNamed(ledger, target.environment);
    const tally = standingTally(ledger, { dropId: target.dropId, environmentId });
    const make = await submissionMaker(ledger, target, tally.add);
    let lastLine = 0;
    for (const staged of rows) {
      const { row } = staged;
      if (row.kind === 'record' && row.further !== undefined) {
        const list = stageList(ledger, target, staged, [row, ...row.further], make);
        counts[list.disposition] += 1;
        further += list.further;
        noteLeftOut(ledger, target.dropId, row, list.disposition);
        lastLine = row.line;
      } else {
        const lines = row.kind === 'blank' ? (row.lines ?? 1) : 1;
        counts[stageRow(ledger, target, staged, make)] += lines;
        if (row.kind === 'invalid') openInvalid(ledger, { ...target, environmentId }, row, tally.add);
        lastLine = row.line + lines - 1;
      }
    }
    tally.write();
    for (const [line, of] of originals ?? []) insertRedropRow(ledger, { dropId: target.dropId, line }, of);
    if (lastLine > 0) {
      await change(
        ledger,
        query
          .updateTable('drop_file')
          .set({
            staged_line: lastLine,
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
  return written.catch((error) => {
    // Numbers that the transaction gave count no longer.
    if (target.numbers !== undefined) forgetNumbers(target.numbers);
    throw error;
  });
}

const LAST_SUBMISSION = 'select max(submission_id) from submission';

/** Zero of each disposition. */
export function noDispositions(): Record<Disposition, number> {
  return { staged: 0, duplicate: 0, amended: 0, invalid: 0, skipped: 0, 'non-data': 0, blank: 0 };
}

function stageRow(
  ledger: Ledger,
  target: StagingTarget,
  staged: StagedRow,
  make: SubmissionMaker,
): Disposition {
  const { row } = staged;
  if (row.kind !== 'record') {
    insertRow(ledger, target.dropId, staged, row.kind, row.kind === 'duplicate' ? row.of : null);
    if ('issues' in row) insertIssues(ledger, target.dropId, row.line, row.issues);
    return row.kind;
  }
  const { disposition, submissionId } = make(row);
  insertRow(ledger, target.dropId, staged, disposition, submissionId);
  noteLeftOut(ledger, target.dropId, row, disposition);
  return disposition;
}

/**
 * Keeps the issues about values that a row's records lack. A row that repeats a submission says nothing new: the submission's row
 * lacks the same values, or never had them.
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
 * Stages a row of several records: it counts once, as staged when any of them is, and the records that repeat a submission are
 * kept as its parts.
 * @returns also how many submissions it made beyond one.
 */
function stageList(
  ledger: Ledger,
  { dropId }: StagingTarget,
  staged: StagedRow,
  [first, ...further]: readonly [PreparedRecord, ...PreparedRecord[]],
  make: SubmissionMaker,
): { disposition: Disposition; further: number } {
  const { line } = staged.row;
  const makeOne = (record: PreparedRecord) => make({ ...record, kind: 'record', line });
  const parts = [makeOne(first), ...further.map(makeOne)] as const;
  const { disposition } = countedAs(parts);
  const repeated = parts.filter((one) => one.disposition === 'duplicate').map((one) => one.submissionId);
  const made = parts.filter((one) => one.disposition !== 'duplicate').map((one) => one.submissionId);
  // Where all records repeat a submission, the row itself is a duplicate, of the first.
  insertRow(ledger, dropId, staged, disposition, made[0] ?? repeated.shift() ?? null);
  repeated.forEach((submissionId, part) => {
    prepared(ledger, INSERT_PART).run(dropId, line, part, submissionId);
  });
  return { disposition, further: Math.max(0, made.length - 1) };
}

/** Keeps the open item of an invalid row, and counts it. */
export function openInvalid(
  ledger: Ledger,
  { dropId, environmentId }: { readonly dropId: number; readonly environmentId: number },
  { line, issues }: { readonly line: number; readonly issues: readonly Issue[] },
  count: (standing: Standing) => void,
): void {
  const cause = leadingIssue(issues)?.code ?? 'value-missing';
  const standing: Standing = { state: 'invalid', cause, code: cause };
  openItem(ledger, { dropId, line, submissionId: 0, environmentId, learnerId: NO_LEARNER }, standing);
  count(standing);
}

/**
 * Creates the submission that a record becomes, or finds the one that it repeats. To be called in a write transaction.
 * `replacedId` is the submission that it replaces, where the record doesn't come from a file.
 */
export type SubmissionMaker = (
  row: PreparedRow & { kind: 'record' },
  replacedId?: number,
) => {
  readonly disposition: 'staged' | 'duplicate' | 'amended';
  readonly submissionId: number;
};

export async function submissionMaker(
  ledger: Ledger,
  target: StagingTarget,
  count?: (standing: Standing) => void,
): Promise<SubmissionMaker> {
  const { dropId } = target;
  const numbers = target.numbers ?? knownNumbers();
  const environmentId = environmentNamed(ledger, target.environment);
  const counted = count ?? ((standing) => countMore(ledger, { dropId, environmentId }, standing, 1));
  const noteNew = (
    row: PreparedRow & { kind: 'record' },
    submissionId: number,
    heldFor: HeldCause | null,
  ) => {
    const standing = standingOf(heldFor === null ? 'waiting' : 'held', heldFor, null);
    counted(standing);
    if (heldFor === null) return;
    const learnerId = numberOfLearner(ledger, numbers, row.keys.learner, row.learner);
    openItem(ledger, { dropId, line: row.line, submissionId, environmentId, learnerId }, standing);
  };
  const rule: AdmissionRule = {
    kind: target.operation.kind,
    sendAmendments: target.sendAmendments,
    isRedrop: target.isRedrop ?? false,
    restoredAt: await restoredAt(ledger),
  };
  const overrides = mayAmend(rule) ? 'amended' : null;
  const inserters = new Map<HeldCause | null, ReturnType<typeof submissionInserter>>();
  const inserterOf = (heldFor: HeldCause | null) => {
    const known = inserters.get(heldFor);
    if (known) return known;
    const inserter = submissionInserter(ledger, { ...target, numbers }, overrides, heldFor);
    inserters.set(heldFor, inserter);
    return inserter;
  };
  // Nearly no ledger was restored, and the times of most keys are never asked for.
  const heldAtOnce = ({ keys }: PreparedRecord) =>
    rule.restoredAt === null ? null : heldWhenNew(keys.occurredAt, rule);
  // Operations of one family share the revisions of a key, and the constraint sees those of one operation alone.
  const isAlone = familyOf(target.operation.name).length === 1;
  return (row, movedFrom) => {
    // Most records are new: try the insert, and look for existing revisions only when the key is taken.
    if (row.formers === undefined && isAlone) {
      const heldFor = heldAtOnce(row);
      const inserted = inserterOf(heldFor)(row, 1);
      if (inserted !== null) {
        noteNew(row, inserted, heldFor);
        return { disposition: 'staged', submissionId: inserted };
      }
    }
    const revisions = revisionsOf(ledger, target, row.keys);
    const formers = formerRecords(ledger, target, row.formers);
    const { digest, occurredAt } = row.keys;
    const admission = admit({ content: digest, occurredAt, movedFrom }, revisions, formers, rule);
    if (admission.disposition === 'duplicate')
      return { disposition: 'duplicate', submissionId: admission.of };
    const { disposition, revision, heldFor } = admission;
    const submissionId = inserterOf(heldFor)(row, revision);
    if (submissionId === null) throw new Error(`revision ${revision} of a key is already taken`);
    noteNew(row, submissionId, heldFor);
    return { disposition, submissionId };
  };
}
