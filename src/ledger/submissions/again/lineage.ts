import { sql } from 'kysely';
import type { OpenMember } from '../../../domain/delivery/correction.js';
import type { Decided } from '../../../domain/delivery/decided.js';
import type { Disposition } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { State } from '../../../domain/submission.js';
import { familyOf } from '../../drops/again/redrop-rows.js';
import { type Ledger, prepared, query } from '../../store/query.js';
import { lastStatus } from '../columns.js';
import { unsentStates } from '../transitions.js';

/** One row of a lineage: a row as it was first read, or one of its corrections. */
export interface LineageRow extends RowRef {
  readonly file: string;
  readonly disposition: Disposition;
  /** The submission that it repeats, where it is a duplicate. */
  readonly repeats: number | null;
  /** The row that it corrects; null for the one that was read first. */
  readonly corrects: RowRef | null;
  /** The submissions made from it, by staging or by a later decision, oldest first. */
  readonly submissions: readonly {
    readonly submissionId: number;
    readonly state: State;
    readonly successorId: number | null;
  }[];
  /** What an invalid row became later, and by which decision; null while no decision has resolved it. */
  readonly resolution: {
    readonly decisionId: number;
    readonly submissionId: number | null;
    readonly row: RowRef | null;
  } | null;
}

/**
 * Everything that stands for one record of a sender, oldest first: the row where it was first read, and each row of a corrected
 * attention file that corrects it, whichever of them is asked about. A row without corrections comes alone. Published drops only.
 */
export function lineageOf(ledger: Ledger, rowRef: RowRef): LineageRow[] {
  return familyOf(ledger, rowRef).flatMap((member) => {
    const row = prepared(ledger, ROW).get(member.dropId, member.line) as RowOf | undefined;
    if (row === undefined) return [];
    const submissions = prepared(ledger, SUBMISSIONS).all(
      member.dropId,
      member.line,
    ) as LineageRow['submissions'];
    return [
      {
        ...member,
        file: row.file,
        disposition: row.disposition,
        repeats: row.disposition === 'duplicate' ? row.repeats : null,
        corrects: row.ofDropId === null ? null : { dropId: row.ofDropId, line: row.ofLine as number },
        submissions,
        resolution: row.decisionId === null ? null : resolutionOf(row),
      },
    ];
  });
}

/**
 * The open members of a row's lineage: neither delivered, being delivered, dismissed, replaced nor resolved. A correction of the
 * row replaces them.
 * @param decisionId the decision that asks; null: none does.
 */
export function openMembers(ledger: Ledger, rowRef: RowRef, decisionId: number | null): OpenMember[] {
  return familyOf(ledger, rowRef).flatMap(({ dropId, line }): OpenMember[] => [
    ...(prepared(ledger, OPEN_SUBMISSIONS).all(decisionId, dropId, line) as OpenSubmission[]).map(
      ({ isDone, ...submission }) => ({
        kind: 'submission' as const,
        dropId,
        line,
        submission,
        isDone: isDone === 1,
      }),
    ),
    ...prepared(ledger, OPEN_INVALID)
      .all(dropId, line)
      .map(() => ({ kind: 'invalid' as const, dropId, line })),
  ]);
}

interface OpenSubmission extends Decided {
  /** 1: the decision has already moved it. */
  readonly isDone: number;
}

interface RowOf {
  readonly file: string;
  readonly disposition: Disposition;
  readonly repeats: number | null;
  readonly ofDropId: number | null;
  readonly ofLine: number | null;
  readonly decisionId: number | null;
  readonly submissionId: number | null;
  readonly successorDropId: number | null;
  readonly successorLine: number | null;
}

function resolutionOf({ decisionId, submissionId, successorDropId, successorLine }: RowOf) {
  const row = successorDropId === null ? null : { dropId: successorDropId, line: successorLine as number };
  return { decisionId: decisionId as number, submissionId, row };
}

const ROW = `
  select d.file_name as file, w.disposition, w.submission_id as repeats, r.of_drop_id as ofDropId,
    r.of_line as ofLine, z.decision_id as decisionId, z.submission_id as submissionId,
    z.successor_drop_id as successorDropId, z.successor_line as successorLine
  from row w
  join drop_file d using (drop_id)
  left join redrop_row r using (drop_id, line)
  left join resolution z using (drop_id, line)
  where w.drop_id = ? and w.line = ? and d.state = 'published'`;

const SUBMISSIONS = `
  select submission_id as submissionId, state, successor_id as successorId from submission
  where drop_id = ? and line = ? order by submission_id`;

const OPEN_SUBMISSIONS = query
  .selectFrom('submission as s')
  .select([
    's.submission_id as id',
    's.state',
    's.cause',
    lastStatus.as('lastStatus'),
    sql<number>`exists (select 1 from decision_submission x
      where x.decision_id = ${0} and x.submission_id = s.submission_id)`.as('isDone'),
  ])
  .where('s.drop_id', '=', 0)
  .where('s.line', '=', 0)
  .where(sql<boolean>`s.state in (${unsentStates})`)
  .orderBy('s.submission_id')
  .compile().sql;

const OPEN_INVALID = `
  select 1 from row r where r.drop_id = ? and r.line = ? and r.disposition = 'invalid'
  and not exists (select 1 from resolution z where z.drop_id = r.drop_id and z.line = r.line)`;
