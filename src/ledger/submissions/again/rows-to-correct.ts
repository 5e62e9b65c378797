import { sql } from 'kysely';
import type { OpenMember } from '../../../domain/delivery/correction.js';
import { mapSeries } from '../../../domain/process/series.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { cellsBy, presentCells } from '../../drops/rows/kept-rows.js';
import type { Ledger } from '../../store/query.js';
import { lastStatus } from '../columns.js';
import { unsentStates } from '../transitions.js';

/** A row as somebody had it when they corrected it. */
export interface RowVersion extends RowRef {
  /** The decision whose cells the person had; 0: the cells as they were read. */
  readonly version: number;
}

/** A row that a correction names, as it stands now. Personal. */
export type RowToCorrect = NonNullable<Awaited<ReturnType<typeof rowsToCorrect>>[number]>;

/**
 * Reads rows that corrections name, in the same order; null where no published drop has such a row. `cells`: those that the person
 * had; null: the row is blank or was erased, or never had cells by that decision. `isLatest`: false where the row was corrected to
 * other cells since. `open`: what of it a correction replaces; []: it was delivered, is being delivered, or was closed.
 */
export async function rowsToCorrect(ledger: Ledger, versions: readonly RowVersion[]) {
  return mapSeries(versions, async ({ dropId, line, version }) => {
    const row = await ledger.db
      .selectFrom('row as r')
      .innerJoin('drop_file as d', 'd.drop_id', 'r.drop_id')
      .select(presentCells.as('present'))
      .where('r.drop_id', '=', dropId)
      .where('r.line', '=', line)
      .where('d.state', '=', sql.lit('published'))
      .executeTakeFirst();
    if (row === undefined) return null;
    const cells = await cellsBy(ledger, { dropId, line, decisionId: version });
    const open = await openMembers(ledger, { dropId, line });
    return { cells, isLatest: JSON.stringify(cells) === row.present, open };
  });
}

/** What of a row still waits for a person or for its delivery: neither delivered, being delivered, dismissed, replaced nor resolved. */
export async function openMembers(ledger: Ledger, { dropId, line }: RowRef): Promise<OpenMember[]> {
  const submissions = await ledger.db
    .selectFrom('submission as s')
    .select(['s.submission_id as id', 's.state', 's.cause', lastStatus.as('lastStatus')])
    .where('s.drop_id', '=', dropId)
    .where('s.line', '=', line)
    .where(sql<boolean>`s.state in (${unsentStates})`)
    .orderBy('s.submission_id')
    .execute();
  const invalid = await ledger.db
    .selectFrom('open_item')
    .select('line')
    .where('drop_id', '=', dropId)
    .where('line', '=', line)
    .where('submission_id', '=', 0)
    .execute();
  return [
    ...submissions.map((submission) => ({ kind: 'submission' as const, submission })),
    ...invalid.map(() => ({ kind: 'invalid' as const })),
  ];
}
