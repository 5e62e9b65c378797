import { sql } from 'kysely';
import { all, type Ledger, query } from '../../store/query.js';

/** The rows in `sending` of an environment. */
export interface SendingRows {
  readonly environment: string;
  /** One at least. */
  readonly rows: number;
}

/** Counts the rows in `sending`, by environment; one without any is left out. */
export async function sendingByEnvironment(ledger: Ledger): Promise<SendingRows[]> {
  const rows = sql<number>`(select count(*) from submission s
    where s.environment_id = environment.environment_id and s.state = 'sending')`;
  return all(
    ledger,
    query
      .selectFrom('environment')
      .select(['name as environment', rows.as('rows')])
      .where(rows, '>', 0)
      .orderBy('name'),
  );
}
