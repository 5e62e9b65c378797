import { sql } from 'kysely';
import { LEARNER_MARK } from '../../../domain/files/guided-workbook.js';
import { filterInTurn } from '../../../domain/process/in-turn.js';
import { cellText } from '../../../domain/row.js';
import { cellsByLine } from '../../drops/rows/row-blocks.js';
import { all, type Ledger, query, writing } from '../../store/query.js';
import { resolveInvalid } from '../../submissions/resolve-invalid.js';

/** True for the header of a drop of corrected addresses, which people have given for learners. */
export function isAddressHeader(header: readonly string[]): boolean {
  return header.some((name) => name.trim() === LEARNER_MARK);
}

/** Resolves the invalid address rows of a learner: this decision gives the learner the right address. */
export async function resolveAddressRows(ledger: Ledger, learner: string, decisionId: number): Promise<void> {
  const open = await all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .innerJoin('open_item as r', 'r.drop_id', 'd.drop_id')
      .select(['d.drop_id as dropId', 'd.header', 'r.line'])
      .where('d.state', '=', 'published')
      .where(sql<boolean>`instr(d.header, ${JSON.stringify(LEARNER_MARK)}) > 0`)
      .where('r.state', '=', 'invalid'),
  );
  const cellsOf = new Map(open.map(({ dropId }) => [dropId, cellsByLine(ledger, dropId)]));
  const about = await filterInTurn(open, async ({ dropId, header, line }) => {
    const mark = (JSON.parse(header ?? '[]') as string[]).findIndex((name) => name.trim() === LEARNER_MARK);
    return cellText((await cellsOf.get(dropId)?.(line))?.[mark]).trim() === learner;
  });
  if (about.length === 0) return;
  await writing(ledger, async (ledger) => {
    for (const { dropId, line } of about) await resolveInvalid(ledger, { dropId, line }, decisionId, null);
  });
}
