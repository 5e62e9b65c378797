import { isoFromMs } from '../../domain/clock.js';
import { change, type Ledger, query } from '../store/query.js';

/** An outage that a report has shown. */
export interface ToldOutage {
  readonly outageId: number;
}

/** Ends the outages of environments that registrar.yaml no longer has: no run will use them again. */
export async function endOutagesBeside(ledger: Ledger, environments: readonly string[]): Promise<void> {
  await change(
    ledger,
    query
      .updateTable('outage')
      .set({ ended_at: isoFromMs(ledger.clock.nowMs()) })
      .where('ended_at', 'is', null)
      .where('environment', 'not in', environments),
  );
}

/** Records that a report with files has shown these outages. */
export async function markOutagesReported(ledger: Ledger, outages: readonly ToldOutage[]): Promise<void> {
  const at = isoFromMs(ledger.clock.nowMs());
  for (const { outageId } of outages) await setReported(ledger, outageId, at);
}

/** @param at ISO time; null: no report has shown the outage. */
export async function setReported(ledger: Ledger, outageId: number, at: string | null): Promise<void> {
  await change(
    ledger,
    query.updateTable('outage').set({ reported_at: at }).where('outage_id', '=', outageId),
  );
}
