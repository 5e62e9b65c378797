import { sql } from 'kysely';
import type { ReportedCorrection } from '../../documents/report.js';
import { isoFromMs } from '../../domain/clock.js';
import { mapSeries } from '../../domain/process/series.js';
import type { DropFacts } from '../drops/drops.js';
import { isOpenRefusal } from '../drops/refused/refused-drops.js';
import { isPicked, type ReportSelection } from '../drops/report-selection.js';
import { runsOf } from '../leases/runs.js';
import { first, type Ledger, query, reading, writing } from '../store/query.js';
import { outcomesOf } from './corrected-rows.js';

/** A file of corrections that came back. */
export interface ReturnedArrival {
  readonly sha256: string;
  readonly fileName: string;
  /** The source in whose inbox it lay; null where a person gave it by hand. */
  readonly source: string | null;
  readonly runId: number | null;
}

/** Records the arrival of a returned file. Call in a write transaction. */
export async function noteReturned(
  ledger: Ledger,
  decisionId: number,
  { sha256, fileName, runId }: ReturnedArrival,
): Promise<void> {
  const at = isoFromMs(ledger.clock.nowMs());
  const arrival = { decision_id: decisionId, sha256, file_name: fileName, run_id: runId, arrived_at: at };
  await ledger.db.insertInto('returned_file').values(arrival).execute();
}

/**
 * Says what the ledger knows of a file's bytes as a file of corrections; null: they are new. `setAside`: the file as it is set aside
 * now, for what of it couldn't be done; null: it isn't.
 * @param arrival the file that has come in, which is recorded where nothing of it is left to be done; null: none has.
 */
export async function knownReturned(ledger: Ledger, sha256: string, arrival: DropFacts | null) {
  return (arrival === null ? reading : writing)(ledger, async (ledger) => {
    const latest = query.selectFrom('returned_file').select('decision_id as decisionId');
    const known = await first(
      ledger,
      latest.where('sha256', '=', sha256).orderBy('returned_file_id', 'desc').limit(sql.lit(1)),
    );
    if (known === undefined) return null;
    const { decisionId } = known;
    const aside = await ledger.db
      .selectFrom('drop_file as d')
      .select(['d.drop_id as dropId', sql<string>`d.refusal`.as('sentence')])
      .where('d.sha256', '=', sha256)
      .where(isOpenRefusal)
      .executeTakeFirst();
    if (arrival !== null && !arrival.isLeft && aside === undefined)
      await noteReturned(ledger, decisionId, { ...arrival, sha256 });
    return { decisionId, setAside: aside ?? null };
  });
}

/** The set-aside returned files that this one takes the place of: the same bytes, or the same name in the same inbox. */
export async function refusalsOfReturned(
  ledger: Ledger,
  { sha256, fileName, source }: ReturnedArrival,
): Promise<readonly number[]> {
  const found = await ledger.db
    .selectFrom('drop_file as d')
    .select('d.drop_id as dropId')
    .where('d.source', '=', source)
    .where(({ or, eb }) => or([eb('d.sha256', '=', sha256), eb('d.file_name', '=', fileName)]))
    .where(isOpenRefusal)
    .where(
      sql<boolean>`(d.sha256 = ${sha256} or exists (select 1 from returned_file r where r.sha256 = d.sha256))`,
    )
    .execute();
  return found.map(({ dropId }) => dropId);
}

/** The files of corrections that came back in a run; none for a selection that names more than a run, since they are of no source. */
export async function returnedIn(
  ledger: Ledger,
  selection: ReportSelection,
): Promise<readonly ReportedCorrection[]> {
  if (isPicked(selection)) return [];
  const { runId } = selection;
  const isOfRun = runId === undefined ? sql<boolean>`true` : sql<boolean>`r.run_id in ${runsOf(runId)}`;
  const files = await ledger.db
    .selectFrom('returned_file as r')
    .select(['r.decision_id as decision', sql<string>`max(r.file_name)`.as('file')])
    .select(
      sql<number>`(select count(*) from correction_issue i where i.decision_id = r.decision_id)`.as('issues'),
    )
    .where(isOfRun)
    .groupBy('r.decision_id')
    .orderBy('r.decision_id')
    .execute();
  return mapSeries(files, async (file) => ({ ...file, rows: await outcomesOf(ledger, file.decision) }));
}
