import { isoFromMs } from '../../domain/clock.js';
import { STATES, type State } from '../../domain/submission.js';
import { alterationsIn, countAlterations, existingIn } from '../attempts/alterations.js';
import { noticesIn } from '../attempts/notices.js';
import { outagesIn } from '../attempts/outages.js';
import { returnedIn } from '../decisions/corrected-rows.js';
import { refusedDrops } from '../drops/refused/refused-drops.js';
import type { ReportSelection } from '../drops/report-selection.js';
import { requireRun } from '../leases/runs.js';
import { type Ledger, reading } from '../store/query.js';
import { equationsIn } from './balance/equations.js';
import { imbalances } from './balance/imbalances.js';
import { dispositionsIn, resolvedIn, statesMovedIn } from './books.js';
import { type DropSummary, dropsIn } from './files/drop-list.js';
import { attemptsIn, requestsIn } from './requests.js';
import { causesIn, correctedOpenIn, leftOutIn } from './rows/attention.js';
import { listedDrops } from './rows/listed-rows.js';
import { countOpen, queuesWaiting } from './submission-counts.js';
import { countUnknownLearners } from './unknown-learners.js';

/** What the ledger says about a selection. */
export type Books = Awaited<ReturnType<typeof readBooks>>;

/** Alterations that are listed; how many there are is counted. */
const ALTERATIONS = 100;

/** Reads everything that a report says about a selection, at one moment. Throws OperatorError where there is no such run. */
export async function readBooks(ledger: Ledger, selection: ReportSelection) {
  return reading(ledger, async (ledger) => {
    if (selection.runId !== undefined) await requireRun(ledger, selection.runId, 'choose a run');
    const requests = await requestsIn(ledger, selection);
    const equations = await equationsIn(ledger, selection, requests);
    const files = await dropsIn(ledger, selection);
    return {
      at: isoFromMs(ledger.clock.nowMs()),
      dispositions: await dispositionsIn(ledger, selection),
      resolved: await resolvedIn(ledger, selection),
      correctedOpen: await correctedOpenIn(ledger, selection),
      states: statesIn(files, await statesMovedIn(ledger, selection)),
      /** All rows and set-aside files of the ledger that need a person, whatever the selection. */
      openInAll: await openInAll(ledger),
      attempts: await attemptsIn(ledger, selection, requests),
      equations,
      imbalances: await imbalances(ledger, selection, equations),
      causes: await causesIn(ledger, selection),
      outages: await outagesIn(ledger, selection),
      /** What waits in the ledger by environment, whatever the selection. */
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

async function openInAll(ledger: Ledger) {
  return { rows: await countOpen(ledger), files: (await refusedDrops(ledger)).length };
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
