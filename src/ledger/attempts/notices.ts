import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { Notice } from '../../domain/environment/notice.js';
import { grouped } from '../../domain/grouped.js';
import type { ReportSelection } from '../drops/report-selection.js';
import { isInRun } from '../leases/runs.js';
import type { Ledger } from '../store/query.js';

/** Records the latest numbers and the count of a run's notice. @returns true for the first of the code in this run. */
export async function storeNotice(ledger: Ledger, runId: number, environment: string, notice: Notice) {
  const at = isoFromMs(ledger.clock.nowMs());
  const { code, ...numbers } = notice;
  const detail = JSON.stringify(numbers);
  const { count } = await ledger.db
    .insertInto('notice')
    .values({ run_id: runId, environment, code, detail, count: 1, first_at: at, last_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['run_id', 'environment', 'code'])
        .doUpdateSet({ detail, last_at: at, count: sql<number>`notice.count + 1` }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return count === 1;
}

/** Later than any ISO time. */
const LATEST = '~';

/** The selection's notices by environment and code, with the latest numbers; none for the selection of one file. */
export async function noticesIn(ledger: Ledger, selection: ReportSelection) {
  if (selection.fileName !== undefined) return [];
  const notices = await ledger.db
    .selectFrom('notice')
    .select(['environment', 'code', 'count', 'detail'])
    .where(isInRun('run_id', selection.runId))
    .where('last_at', '>=', selection.since ?? '')
    .where('first_at', '<', selection.until ?? LATEST)
    .orderBy('environment')
    .orderBy('code')
    .orderBy('last_at')
    .execute();
  const noted = grouped(notices, ({ environment, code }) => `${environment} ${code}`);
  return [...noted.values()].flatMap((own) =>
    own.slice(-1).map(({ environment, code, detail }) => ({
      environment,
      notice: { code, ...JSON.parse(detail) } as Notice,
      count: own.reduce((sum, { count }) => sum + count, 0),
    })),
  );
}
