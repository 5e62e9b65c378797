import type { State } from '../domain/submission.js';
import { closeDecision, openDecision } from './decision-log.js';
import { mayBeWritten } from './decisions.js';
import { openMembers, type Place } from './lineage.js';
import { change, type Ledger, prepared, query, writing } from './query.js';
import { move } from './transitions.js';

/** True for a drop that was a corrected attention file. */
export function isRedrop(ledger: Ledger, dropId: number): boolean {
  return prepared(ledger, 'select 1 from redrop_row where drop_id = ? limit 1').get(dropId) !== undefined;
}

/**
 * Issues with which a row of a corrected attention file is skipped because it changes nothing: what it stands for is
 * left as it is.
 */
const WITHOUT_EFFECT = ['not-corrected', 'original-closed', 'original-erased'] as const;

/** Rows per transaction: each moves a submission or two. */
const PAGE = 200;

/**
 * After publishing a corrected attention file: what its rows stand for makes room for what they became. Recorded as one
 * decision, the file being how somebody made it. May be repeated, which picks up what an interrupted one has left; each
 * transaction is short, and between two of them it yields.
 */
export function* settleRedrop(
  ledger: Ledger,
  dropId: number,
  decision: { readonly who: string; readonly because: string },
  runId: number,
): Generator<void> {
  const known = prepared(ledger, DECISION).get(dropId) as
    | { id: number; finishedAt: string | null }
    | undefined;
  if (known?.finishedAt) return;
  const decisionId =
    known?.id ?? openDecision(ledger, { kind: 'redrop', ...decision, selection: { drop: dropId } });
  yield* closeOriginals(ledger, dropId, decisionId, runId);
  closeDecision(ledger, decisionId);
}

const DECISION = `
  select decision_id as id, finished_at as finishedAt from decision
  where kind = 'redrop' and selection ->> '$.drop' = ?`;

/** The same under a decision that is being carried out, where it made records of the drop's invalid rows. */
export function* closeOriginals(
  ledger: Ledger,
  dropId: number,
  decisionId: number,
  runId: number,
): Generator<void> {
  const lines = prepared(ledger, 'select line from redrop_row where drop_id = ? order by line')
    .pluck()
    .all(dropId) as number[];
  for (let start = 0; start < lines.length; start += PAGE) {
    yield;
    writing(ledger, () => {
      for (const line of lines.slice(start, start + PAGE)) {
        closeOriginal(ledger, { dropId, line }, decisionId, runId);
      }
    });
  }
}

/** What a row of a corrected attention file has come to. */
type Fate =
  | { readonly kind: 'submission'; readonly submissionId: number }
  /** No record, and it says more than its original did. */
  | { readonly kind: 'row' }
  | { readonly kind: 'nothing' };

function closeOriginal(ledger: Ledger, place: Place, decisionId: number, runId: number): void {
  const fate = fateOf(ledger, place);
  if (fate.kind === 'nothing') return;
  for (const member of openMembers(ledger, place)) {
    if (member.kind === 'invalid') {
      if (member.dropId !== place.dropId) resolve(ledger, member, decisionId, fate, place);
      continue;
    }
    if (fate.kind !== 'submission') continue;
    const { submissionId: id, state } = member;
    if (id !== fate.submissionId) replace(ledger, { id, state }, fate.submissionId, decisionId, runId);
    else if (isRepeat(ledger, place)) rerun(ledger, { id, state }, decisionId, runId);
  }
}

function fateOf(ledger: Ledger, place: Place): Fate {
  const made = prepared(ledger, MADE).pluck().get(place.dropId, place.line) as number | undefined;
  if (made !== undefined) return { kind: 'submission', submissionId: made };
  const row = prepared(ledger, STAYED).get(place.dropId, place.line) as
    | { repeats: number | null; resolvedBy: number | null; code: string | null }
    | undefined;
  if (row === undefined) return { kind: 'nothing' };
  const submissionId = row.repeats ?? row.resolvedBy;
  if (submissionId !== null) return { kind: 'submission', submissionId };
  return WITHOUT_EFFECT.some((code) => code === row.code) ? { kind: 'nothing' } : { kind: 'row' };
}

const MADE = `
  select submission_id from submission where drop_id = ? and line = ? order by submission_id desc limit 1`;

const STAYED = `
  select r.submission_id as repeats, z.submission_id as resolvedBy, i.code from row r
  left join resolution z using (drop_id, line)
  left join issue i on i.drop_id = r.drop_id and i.line = r.line and i.ordinal = 0
  where r.drop_id = ? and r.line = ?`;

function isRepeat(ledger: Ledger, { dropId, line }: Place): boolean {
  const text = `select 1 from row where drop_id = ? and line = ? and disposition = 'duplicate'`;
  return prepared(ledger, text).get(dropId, line) !== undefined;
}

function resolve(
  ledger: Ledger,
  { dropId, line }: Place,
  decisionId: number,
  fate: Exclude<Fate, { kind: 'nothing' }>,
  successor: Place,
): void {
  change(
    ledger,
    query.insertInto('resolution').values({
      drop_id: dropId,
      line,
      decision_id: decisionId,
      ...(fate.kind === 'submission'
        ? { submission_id: fate.submissionId, successor_drop_id: null, successor_line: null }
        : { submission_id: null, successor_drop_id: successor.dropId, successor_line: successor.line }),
    }),
  );
}

function replace(
  ledger: Ledger,
  original: Original,
  successorId: number,
  decisionId: number,
  runId: number,
): void {
  if (!noteSubmission(ledger, decisionId, original.id)) return;
  move(ledger, original, 'replaced', { successorId, reason: 'corrected', decisionId, runId });
}

/** As `registrar rerun` does; one that waits is left alone, and one that was sent again since a crash as well. */
function rerun(ledger: Ledger, original: Original, decisionId: number, runId: number): void {
  if (original.state === 'waiting' || !noteSubmission(ledger, decisionId, original.id)) return;
  move(ledger, original, 'rerun', {
    reason: 'redrop',
    decisionId,
    runId,
    pass: 'all',
    priority: 1,
    freshPatience: true,
    spent: { repeats: mayBeWritten(ledger, original.id, original.state) ? 1 : 0 },
  });
}

interface Original {
  readonly id: number;
  readonly state: State;
}

/** @returns false when the decision has moved the submission before. */
function noteSubmission(ledger: Ledger, decisionId: number, submissionId: number): boolean {
  const { changes } = change(
    ledger,
    query
      .insertInto('decision_submission')
      .values({ decision_id: decisionId, submission_id: submissionId })
      .onConflict((conflict) => conflict.doNothing()),
  );
  return changes === 1;
}
