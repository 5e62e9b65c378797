import type { AttentionCause } from '../../documents/report.js';
import { precisionFor, type Timeline, timelineOf } from '../../domain/environment/timeline.js';
import { collected, mapSeries } from '../../domain/process/series.js';
import type { ReportSelection } from '../drops/report-selection.js';
import { runFacts } from '../leases/runs.js';
import { ledgerVersions } from '../store/ledger-facts.js';
import { type Ledger, reading } from '../store/query.js';
import { attentionSamples } from './browse/browsed-rows.js';
import type { AttentionSample } from './rows/row-reader.js';
import { sentBetween, sentOverTime } from './sent-over-time.js';

/**
 * Reads what a report's page shows besides the report: its run (null where the selection has none), the requests over time (null
 * where none was made), and for each group of causes its first rows, cause by cause in the order in which they came in. Personal.
 * @param groups each group holds causes that are one for people.
 * @param rowsEach the most rows of each group.
 */
export async function readPage(
  ledger: Ledger,
  selection: ReportSelection,
  groups: readonly (readonly AttentionCause[])[],
  rowsEach: number,
) {
  return reading(ledger, async (ledger) => ({
    run: selection.runId === undefined ? null : await runFacts(ledger, selection.runId),
    timeline: await timelineIn(ledger, selection),
    samples: await mapSeries(groups, async (causes) => samplesOf(ledger, selection, causes, rowsEach)),
    versions: await ledgerVersions(ledger),
  }));
}

async function samplesOf(
  ledger: Ledger,
  selection: ReportSelection,
  causes: readonly AttentionCause[],
  most: number,
): Promise<AttentionSample[]> {
  const samples = await mapSeries(causes, async (cause) => attentionSamples(ledger, selection, cause, most));
  return samples.flat().slice(0, most);
}

async function timelineIn(ledger: Ledger, selection: ReportSelection): Promise<Timeline | null> {
  const span = await sentBetween(ledger, selection);
  if (span === null) return null;
  const { first, last } = span;
  return timelineOf(await collected(sentOverTime(ledger, selection, precisionFor(first, last))), first, last);
}
