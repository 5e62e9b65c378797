import type { State } from '../domain/submission.js';
import { mayBeWritten } from './decisions.js';
import { openMembers, type Place } from './lineage.js';
import { pagesOf } from './pages.js';
import { change, type Ledger, prepared, query, writing } from './query.js';
import { move } from './transitions.js';

/** True for a drop that was a corrected attention file. */
export function isRedrop(ledger: Ledger, dropId: number): boolean {
  return prepared(ledger, 'select 1 from redrop_row where drop_id = ? limit 1').get(dropId) !== undefined;
}

/** The decision by which a corrected attention file out of an inbox closes its originals; null: it isn't made yet. */
export function correctionDecision(
  ledger: Ledger,
  dropId: number,
): { readonly decisionId: number; readonly isFinished: boolean } | null {
  const known = prepared(ledger, DECISION).get(dropId) as
    | { readonly id: number; readonly finishedAt: string | null }
    | undefined;
  return known === undefined ? null : { decisionId: known.id, isFinished: known.finishedAt !== null };
}

const DECISION = `
  select decision_id as id, finished_at as finishedAt from decision
  where kind = 'correct' and selection ->> '$.drop' = ?`;

/** SHA-256 of the corrected files, given by hand, that open decisions are to take in. */
export function filesToTake(ledger: Ledger): string[] {
  return prepared(ledger, TO_TAKE).pluck().all() as string[];
}

const TO_TAKE = `
  select selection ->> '$.file' from decision
  where kind = 'correct' and finished_at is null and selection ->> '$.file' is not null`;

/**
 * After publishing a corrected attention file: what its rows stand for makes room for what they became, a page for each
 * step. May be repeated, which picks up what an interrupted one has left.
 * @param only of its lines these, where a decision has made records of invalid ones; null: all.
 */
export function* closeOriginals(
  ledger: Ledger,
  dropId: number,
  decisionId: number,
  runId: number | null,
  only: ReadonlySet<number> | null = null,
): Generator<void> {
  const all = prepared(ledger, TAKING_PLACE).pluck().all(dropId) as number[];
  const lines = only === null ? all : all.filter((line) => only.has(line));
  for (const page of pagesOf(lines)) {
    writing(ledger, () => {
      for (const line of page) closeOriginal(ledger, { dropId, line }, decisionId, runId);
    });
    yield;
  }
}

const TAKING_PLACE = 'select line from redrop_row where drop_id = ? and takes_place = 1 order by line';

/** What a row of a corrected attention file has come to. */
type Fate = { readonly kind: 'submission'; readonly submissionId: number } | { readonly kind: 'row' };

function closeOriginal(ledger: Ledger, place: Place, decisionId: number, runId: number | null): void {
  const fate = fateOf(ledger, place);
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
    | { repeats: number | null; resolvedBy: number | null }
    | undefined;
  const submissionId = row?.repeats ?? row?.resolvedBy ?? null;
  return submissionId === null ? { kind: 'row' } : { kind: 'submission', submissionId };
}

const MADE = `
  select submission_id from submission where drop_id = ? and line = ? order by submission_id desc limit 1`;

const STAYED = `
  select r.submission_id as repeats, z.submission_id as resolvedBy from row r
  left join resolution z using (drop_id, line)
  where r.drop_id = ? and r.line = ?`;

function isRepeat(ledger: Ledger, { dropId, line }: Place): boolean {
  const text = `select 1 from row where drop_id = ? and line = ? and disposition = 'duplicate'`;
  return prepared(ledger, text).get(dropId, line) !== undefined;
}

function resolve(
  ledger: Ledger,
  { dropId, line }: Place,
  decisionId: number,
  fate: Fate,
  successor: Place,
): void {
  const isSubmission = fate.kind === 'submission';
  prepared(ledger, INSERT_RESOLUTION).run(
    dropId,
    line,
    decisionId,
    isSubmission ? fate.submissionId : null,
    isSubmission ? null : successor.dropId,
    isSubmission ? null : successor.line,
  );
}

const INSERT_RESOLUTION = query
  .insertInto('resolution')
  .values({
    drop_id: 0,
    line: 0,
    decision_id: 0,
    submission_id: 0,
    successor_drop_id: 0,
    successor_line: 0,
  })
  .compile().sql;

function replace(
  ledger: Ledger,
  original: Original,
  successorId: number,
  decisionId: number,
  runId: number | null,
): void {
  if (!noteSubmission(ledger, decisionId, original.id)) return;
  move(ledger, original, 'replaced', { successorId, cause: 'corrected', decisionId, runId });
}

/** As `registrar rerun` does; one that waits is left alone, and one that was sent again since a crash as well. */
function rerun(ledger: Ledger, original: Original, decisionId: number, runId: number | null): void {
  if (original.state === 'waiting' || !noteSubmission(ledger, decisionId, original.id)) return;
  move(ledger, original, 'rerun', {
    cause: 'redrop',
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
