import { sql } from 'kysely';
import { filterInTurn } from '../../../domain/process/in-turn.js';
import { leaseHolder } from '../../leases/leases.js';
import { all, type Ledger, query } from '../../store/query.js';

/** Rows in `sending` that no living process sends. */
export interface AbandonedRows {
  readonly environment: string;
  readonly rows: number;
}

/** Counts the rows in `sending` of the environments whose push lease no living process holds. */
export async function abandonedRows(ledger: Ledger): Promise<AbandonedRows[]> {
  const sending = sql<number>`(select count(*) from submission s
    where s.environment_id = environment.environment_id and s.state = 'sending')`;
  const underWay = await all(
    ledger,
    query
      .selectFrom('environment')
      .select(['name as environment', sending.as('rows')])
      .where(sending, '>', 0)
      .orderBy('name'),
  );
  return filterInTurn(
    underWay,
    async ({ environment }) => (await leaseHolder(ledger, `push:${environment}`)) === null,
  );
}
