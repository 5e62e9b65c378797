import type { Config } from '../config/schema.js';
import { attentionSamples } from '../ledger/attention-samples.js';
import type { Scope } from '../ledger/books.js';
import { type LedgerVersions, ledgerVersions } from '../ledger/ledger-versions.js';
import { type Ledger, reading } from '../ledger/query.js';
import { type RunFacts, runFacts } from '../ledger/run-facts.js';
import { sentBetween, sentOverTime } from '../ledger/sent-over-time.js';
import { VERSION } from '../version.js';
import { type CauseGroup, causeGroups } from './cause-groups.js';
import type { Report } from './report.js';
import { type ShownRow, shownRow } from './shown-row.js';
import { precisionFor, type Timeline, timelineOf } from './timeline.js';

/** A cause with its first rows. */
export interface CauseSample {
  readonly cause: CauseGroup;
  readonly rows: readonly ShownRow[];
}

/** Whatever the page shows: the report's model, and what only the page needs. */
export interface PageFacts {
  readonly report: Report;
  /** The run that the report is about; null when it is about something else. */
  readonly run: RunFacts | null;
  /** null when nothing was sent. */
  readonly timeline: Timeline | null;
  /** Causes, those with the most rows first; each of the first ones with its first rows. */
  readonly causes: readonly CauseSample[];
  readonly versions: LedgerVersions & { readonly registrar: string; readonly node: string };
  /** Settings as they are now; null when none are at hand. */
  readonly config: Config | null;
  readonly isMasked: boolean;
  /** Name of the file beside the page that lists a drop's rows for correction; null when there is none. */
  readonly attentionFile: ((dropId: number, file: string) => string) | null;
  /** Name of the workbook beside the page that guides whoever has something to do; null when there is none. */
  readonly guideFile: string | null;
  /** Names of what else was written beside the page. */
  readonly otherFiles: readonly string[];
}

/** What a page is asked to be. */
export type PageOptions = Pick<
  PageFacts,
  'config' | 'isMasked' | 'attentionFile' | 'guideFile' | 'otherFiles'
>;

/** Causes beyond these have so few rows, or are so many, that a page is not where they are looked at. */
export const MOST_SAMPLED = 50;

/** Enough rows to see what a cause is about; the attention file has them all. */
const ROWS_PER_CAUSE = 20;

/** Reads what a report's page shows. */
export function readPageFacts(ledger: Ledger, report: Report, options: PageOptions): PageFacts {
  const { scope } = report;
  return reading(ledger, () => ({
    ...options,
    report,
    run: scope.runId === undefined ? null : runFacts(ledger, scope.runId),
    timeline: readTimeline(ledger, report),
    causes: causeGroups(report.causes).map((cause, index) => ({
      cause,
      rows: index < MOST_SAMPLED ? readRows(ledger, scope, cause, options.isMasked) : [],
    })),
    versions: { registrar: VERSION, node: process.versions.node, ...ledgerVersions(ledger) },
  }));
}

function readRows(ledger: Ledger, scope: Scope, cause: CauseGroup, isMasked: boolean): ShownRow[] {
  return cause.states
    .flatMap(({ state }) => attentionSamples(ledger, scope, { ...cause, state }, ROWS_PER_CAUSE))
    .slice(0, ROWS_PER_CAUSE)
    .map((row) => shownRow(row, isMasked));
}

function readTimeline(ledger: Ledger, { scope }: Report): Timeline | null {
  const span = sentBetween(ledger, scope);
  if (span === null) return null;
  return timelineOf(sentOverTime(ledger, scope, precisionFor(span.first, span.last)), span.first, span.last);
}
