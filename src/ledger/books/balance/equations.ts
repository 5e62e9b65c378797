import { sql } from 'kysely';
import { type Equation, equationsOf } from '../../../domain/balance/equations.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import type { Ledger } from '../../store/query.js';
import { touchedIn } from '../../submissions/columns.js';
import { type Requests, requestsIn } from '../requests.js';
import { dropBooks } from './drop-books.js';

/**
 * The control equations of the selection. There is one set for each of its drops (for a run also each drop with a submission that
 * the run moved), for their sources, for the environments of its requests (all environments for files without a run), and for all
 * of these together.
 * @param requests the selection's, where they are read already.
 */
export async function equationsIn(
  ledger: Ledger,
  selection: ReportSelection,
  requests?: readonly Requests[],
): Promise<Equation[]> {
  const touched = await ledger.db
    .selectFrom('drop_file as d')
    .select('d.drop_id as id')
    .where('d.state', '=', sql.lit('published'))
    .where(touchedIn(selection))
    .execute();
  const drops = await dropBooks(
    ledger,
    touched.map(({ id }) => id),
  );
  return equationsOf(drops, requests ?? (await requestsIn(ledger, selection)), selection.runId ?? null);
}
