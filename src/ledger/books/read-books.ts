import type { BooksDocument, CauseCount, WaitingQueue } from '../../documents/report.js';
import type { Equation } from '../../domain/balance/equations.js';
import { isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { STATES, type State } from '../../domain/submission.js';
import { alterationsIn, countAlterations, existingIn } from '../attempts/alterations.js';
import { type Noted, noticesIn } from '../attempts/notices.js';
import { type Outage, outagesIn } from '../attempts/outages.js';
import { returnedIn } from '../decisions/returned-files.js';
import { openRefusalsBySource } from '../drops/refused/refused-drops.js';
import type { ReportSelection } from '../drops/report-selection.js';
import { latestRun, runStartedAt } from '../leases/runs.js';
import { type Ledger, reading } from '../store/query.js';
import { equationsIn } from './balance/equations.js';
import { imbalances } from './balance/imbalances.js';
import { dispositionsIn, resolvedIn, statesMovedIn } from './books.js';
import { type DropSummary, dropsIn } from './files/drop-list.js';
import { queuesWaiting } from './queues.js';
import { attemptsIn, requestsIn } from './requests.js';
import { causesIn, correctedOpenIn } from './rows/attention.js';
import { type LeftOutCount, leftOutIn } from './rows/left-out.js';
import { type ListedDrop, listedDrops } from './rows/listed-rows.js';
import { countOpen } from './submission-counts.js';
import { countUnknownLearners } from './unknown-learners.js';

/** What the document of a report has as the ledger gives it. */
type OfDocument =
  | 'at'
  | 'dispositions'
  | 'states'
  | 'attempts'
  | 'imbalances'
  | 'unknownLearners'
  | 'altered'
  | 'existing'
  | 'corrections';

/** What the ledger says about a selection. */
export interface Books extends Pick<BooksDocument, OfDocument> {
  /** Invalid rows that a later decision has resolved. */
  readonly resolved: number;
  /** Invalid rows of other runs' files that the run has given other cells, and that are invalid still. */
  readonly correctedOpen: number;
  /** All rows and set-aside files of the ledger that need a person, whatever the selection. */
  readonly openInAll: { readonly rows: number; readonly files: number };
  readonly equations: readonly Equation[];
  readonly causes: readonly CauseCount[];
  readonly outages: readonly Outage[];
  /** What waits in the ledger by environment, whatever the selection. */
  readonly queues: readonly WaitingQueue[];
  readonly notices: readonly Noted[];
  /** What was left out of rows that are records, file by file. */
  readonly leftOut: readonly LeftOutCount[];
  /** What came in, in the order in which it did. */
  readonly files: readonly DropSummary[];
  /** The published drops with rows of the selection; for a run also those with a submission that the run moved. */
  readonly drops: readonly ListedDrop[];
}

/** Alterations that are listed; how many there are is counted. */
const ALTERATIONS = 100;

/** Reads everything that a report says about a selection, at one moment. Throws OperatorError where there is no such run. */
export async function readBooks(ledger: Ledger, selection: ReportSelection): Promise<Books> {
  return reading(ledger, async (ledger) => {
    await requireRun(ledger, selection);
    const requests = await requestsIn(ledger, selection);
    const equations = await equationsIn(ledger, selection, requests);
    const files = await dropsIn(ledger, selection);
    return {
      at: isoFromMs(ledger.clock.nowMs()),
      dispositions: await dispositionsIn(ledger, selection),
      resolved: await resolvedIn(ledger, selection),
      correctedOpen: await correctedOpenIn(ledger, selection),
      states: statesIn(files, await statesMovedIn(ledger, selection)),
      openInAll: await openInAll(ledger),
      attempts: await attemptsIn(ledger, selection, requests),
      equations,
      imbalances: await imbalances(ledger, selection, equations),
      causes: await causesIn(ledger, selection),
      outages: await outagesIn(ledger, selection),
      queues: await queuesWaiting(ledger),
      notices: await noticesIn(ledger, selection),
      unknownLearners: await countUnknownLearners(ledger, selection),
      leftOut: await leftOutIn(ledger, selection),
      altered: {
        counts: { entity: 0, letters: 0, other: 0, ...(await countAlterations(ledger, selection)) },
        shown: await alterationsIn(ledger, selection, ALTERATIONS),
      },
      existing: await existingIn(ledger, selection),
      files,
      corrections: await returnedIn(ledger, selection),
      drops: await listedDrops(ledger, selection),
    };
  });
}

async function openInAll(ledger: Ledger): Promise<Books['openInAll']> {
  const files = await openRefusalsBySource(ledger);
  return { rows: await countOpen(ledger), files: files.reduce((sum, source) => sum + source.files, 0) };
}

/** Submissions by state: those made from the selection's rows, and for a run also those it moved. */
function statesIn(
  files: readonly DropSummary[],
  moved: Partial<Record<State, number>>,
): Record<State, number> {
  const published = files.filter(({ state, isTaken }) => state === 'published' && isTaken);
  const count = (state: State) =>
    published.reduce((sum, { states }) => sum + (states[state] ?? 0), moved[state] ?? 0);
  return Object.fromEntries(STATES.map((state) => [state, count(state)])) as Record<State, number>;
}

async function requireRun(ledger: Ledger, { runId }: ReportSelection): Promise<void> {
  if (runId === undefined || (await runStartedAt(ledger, runId)) !== null) return;
  const latest = await latestRun(ledger);
  throw new OperatorError({
    operation: 'choose a run',
    subject: String(runId),
    message: `there is no run ${runId}`,
    hint: latest === null ? 'There was none yet.' : `The latest is run ${latest}.`,
  });
}
