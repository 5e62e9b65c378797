import type { DropFormat, SheetLeft, StatedZone } from '../../domain/drop.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { type Ledger, writing } from '../store/query.js';
import { discardRows } from './discard-rows.js';
import { type DropFacts, findDrop, updateDrop, writeDrop } from './drops.js';
import { recordDropArrival } from './record-arrival.js';

/** How a file is read, recorded before its rows are staged. */
export interface StagingPlan {
  readonly format: DropFormat;
  readonly sheet: string | null;
  readonly headerLine: number;
  readonly header: readonly string[];
  readonly mapping: Readonly<Record<string, string>>;
  readonly settings: string;
  /** Visible sheets that are part of no drop; [] for a text file. */
  readonly sheetsLeft: readonly SheetLeft[];
  readonly zones: readonly StatedZone[];
}

/**
 * Opens a drop for staging, or resumes one that a crash left half staged. It is resumed only under the settings with
 * which it began; under others, its rows are discarded and it begins again. A drop that was refused earlier is opened
 * again. The caller holds the stage lease, and no other drop of its source is being staged.
 * @param from 'first-row': discards staged rows in any case.
 * @returns `stagedLine`: rows up to this line are staged.
 */
export async function beginDrop(
  ledger: Ledger,
  drop: DropFacts,
  plan: StagingPlan,
  from: 'last-staged-row' | 'first-row' = 'last-staged-row',
) {
  const existing = await findDrop(ledger, drop);
  if (existing?.state === 'staging') {
    if (from === 'last-staged-row' && existing.settings === plan.settings) {
      // So that the report of the resuming run lists the drop.
      await updateDrop(ledger, existing.dropId, { run_id: drop.runId });
      return { dropId: existing.dropId, stagedLine: existing.stagedLine };
    }
    await discardRows(ledger, existing.dropId);
  }
  const described = {
    state: 'staging' as const,
    sheet: plan.sheet,
    header_line: plan.headerLine,
    header: JSON.stringify(plan.header),
    mapping: JSON.stringify(plan.mapping),
    settings: plan.settings,
    sheets_left: plan.sheetsLeft.length === 0 ? null : JSON.stringify(plan.sheetsLeft),
    zones: plan.zones.length === 0 ? null : JSON.stringify(plan.zones),
    rows_read: null,
    refusal: null,
    published_at: null,
  };
  const dropId = await writing(ledger, async (ledger) => {
    const dropId = await writeDrop(ledger, { ...drop, format: plan.format }, described);
    // A drop that begins again is the same arrival.
    if (existing?.state !== 'staging') await recordDropArrival(ledger, dropId, drop);
    return dropId;
  });
  failpoint('drop-begun');
  return { dropId, stagedLine: 0 };
}
