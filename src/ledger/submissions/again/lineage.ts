import { sql } from 'kysely';
import type { OpenMember } from '../../../domain/delivery/correction.js';
import { inTurn } from '../../../domain/process/in-turn.js';
import type { Disposition } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { State } from '../../../domain/submission.js';
import { familyOf } from '../../drops/again/redrop-rows.js';
import { all, first, type Ledger, query } from '../../store/query.js';
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
export async function lineageOf(ledger: Ledger, rowRef: RowRef): Promise<LineageRow[]> {
  return (await inTurn(await familyOf(ledger, rowRef), async (member) => rowOf(ledger, member))).flat();
}

async function rowOf(ledger: Ledger, member: RowRef): Promise<LineageRow[]> {
  const row = await first(
    ledger,
    query
      .selectFrom('row as w')
      .innerJoin('drop_file as d', 'd.drop_id', 'w.drop_id')
      .leftJoin('redrop_row as r', (join) =>
        join.onRef('r.drop_id', '=', 'w.drop_id').onRef('r.line', '=', 'w.line'),
      )
      .leftJoin('resolution as z', (join) =>
        join.onRef('z.drop_id', '=', 'w.drop_id').onRef('z.line', '=', 'w.line'),
      )
      .select(['d.file_name as file', 'w.disposition', 'w.submission_id as repeats'])
      .select(['r.of_drop_id as ofDropId', 'r.of_line as ofLine'])
      .select(['z.decision_id as decisionId', 'z.submission_id as submissionId'])
      .select(['z.successor_drop_id as successorDropId', 'z.successor_line as successorLine'])
      .where('w.drop_id', '=', member.dropId)
      .where('w.line', '=', member.line)
      .where('d.state', '=', sql.lit('published')),
  );
  if (row === undefined) return [];
  const { file, disposition, repeats, decisionId, submissionId } = row;
  const submissions = await all(
    ledger,
    query
      .selectFrom('submission')
      .select(['submission_id as submissionId', 'state', 'successor_id as successorId'])
      .where('drop_id', '=', member.dropId)
      .where('line', '=', member.line)
      .orderBy('submission_id'),
  );
  const resolvedBy = placeOf(row.successorDropId, row.successorLine);
  return [
    {
      ...member,
      file,
      disposition,
      repeats: disposition === 'duplicate' ? repeats : null,
      corrects: placeOf(row.ofDropId, row.ofLine),
      submissions,
      resolution: decisionId === null ? null : { decisionId, submissionId, row: resolvedBy },
    },
  ];
}

function placeOf(dropId: number | null, line: number | null): RowRef | null {
  return dropId === null || line === null ? null : { dropId, line };
}

/**
 * The open members of a row's lineage: neither delivered, being delivered, dismissed, replaced nor resolved. A correction of the
 * row replaces them.
 * @param decisionId the decision that asks; null: none does.
 */
export async function openMembers(
  ledger: Ledger,
  rowRef: RowRef,
  decisionId: number | null,
): Promise<OpenMember[]> {
  const members = await inTurn(await familyOf(ledger, rowRef), async (member): Promise<OpenMember[]> => {
    const submissions = await all(
      ledger,
      query
        .selectFrom('submission as s')
        .select(['s.submission_id as id', 's.state', 's.cause', lastStatus.as('lastStatus')])
        // 1: the decision has already moved it.
        .select(
          sql<number>`exists (select 1 from decision_submission x
            where x.decision_id = ${decisionId} and x.submission_id = s.submission_id)`.as('isDone'),
        )
        .where('s.drop_id', '=', member.dropId)
        .where('s.line', '=', member.line)
        .where(sql<boolean>`s.state in (${unsentStates})`)
        .orderBy('s.submission_id'),
    );
    const invalid = await all(
      ledger,
      query
        .selectFrom('open_item')
        .select(['drop_id as dropId', 'line'])
        .where('drop_id', '=', member.dropId)
        .where('line', '=', member.line)
        .where('submission_id', '=', 0),
    );
    return [
      ...submissions.map(({ isDone, ...submission }) => ({
        kind: 'submission' as const,
        ...member,
        submission,
        isDone: isDone === 1,
      })),
      ...invalid.map((row) => ({ kind: 'invalid' as const, ...row })),
    ];
  });
  return members.flat();
}
