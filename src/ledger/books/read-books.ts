import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { totals } from '../../domain/grouped.js';
import { DISPOSITIONS } from '../../domain/row.js';
import { STATES } from '../../domain/submission.js';
import { alterationsIn, countAlterations, existingIn } from '../attempts/alterations.js';
import { noticesIn } from '../attempts/notices.js';
import { outagesIn } from '../attempts/outages.js';
import { correctedFilesIn } from '../decisions/corrected-rows.js';
import { refusedDrops } from '../drops/refused/refused-drops.js';
import { ofRun, pickedIn, publishedIn, type ReportSelection } from '../drops/report-selection.js';
import { requireRun, runsOf } from '../leases/runs.js';
import { count, first, type Ledger, query, reading } from '../store/query.js';
import { equationsIn, imbalances } from './balance/imbalances.js';
import { dropsIn } from './files/drop-list.js';
import { attemptsIn, requestsIn } from './requests.js';
import { causesIn, correctedOpenIn, omittedIn } from './rows/attention.js';
import { listedDrops } from './rows/listed-rows.js';
import { countOpen, queuesWaiting } from './submission-counts.js';
import { countUnknownLearners } from './unknown-learners.js';

export type Books = Awaited<ReturnType<typeof readBooks>>;

/** The maximum number of alterations to list; all are counted. */
const ALTERATIONS = 100;

/** Reads all facts for the report of a selection, from one snapshot. Throws OperatorError where there is no such run. */
export async function readBooks(ledger: Ledger, selection: ReportSelection) {
  return reading(ledger, async (ledger) => {
    if (selection.runId !== undefined) await requireRun(ledger, selection.runId, 'choose a run');
    const requests = await requestsIn(ledger, selection);
    const equations = await equationsIn(ledger, selection, requests);
    const files = await dropsIn(ledger, selection);
    const resolved = query
      .selectFrom('resolution as z')
      .innerJoin('drop_file as d', 'd.drop_id', 'z.drop_id');
    const imported = files.filter(({ state, isTaken }) => state === 'published' && isTaken);
    return {
      at: isoFromMs(ledger.clock.nowMs()),
      dispositions: totals(
        DISPOSITIONS,
        imported.map((one) => one.dispositions),
      ),
      /** The invalid rows of the selection that a decision has resolved. */
      resolved: await count(ledger, resolved.where(publishedIn(selection))),
      correctedOpen: await correctedOpenIn(ledger, selection),
      /** The submissions from the selection's rows; for a run, also those that it moved. */
      states: totals(STATES, [
        ...imported.map(({ states }) => states),
        await statesMovedIn(ledger, selection),
      ]),
      /** The number of rows and refused files in the whole ledger that need attention. */
      openInAll: { rows: await countOpen(ledger), files: (await refusedDrops(ledger)).length },
      attempts: await attemptsIn(ledger, selection, requests),
      equations,
      imbalances: await imbalances(ledger, selection, equations),
      causes: await causesIn(ledger, selection),
      outages: await outagesIn(ledger, selection),
      /** The waiting rows of the whole ledger, by environment. */
      queues: await queuesWaiting(ledger),
      notices: await noticesIn(ledger, selection),
      unknownLearners: await countUnknownLearners(ledger, selection),
      omitted: await omittedIn(ledger, selection),
      altered: {
        counts: { entity: 0, letters: 0, other: 0, ...(await countAlterations(ledger, selection)) },
        shown: await alterationsIn(ledger, selection, ALTERATIONS),
      },
      existing: await existingIn(ledger, selection),
      files,
      corrections: await correctedFilesIn(ledger, selection),
      drops: await listedDrops(ledger, selection),
    };
  });
}

/** Counts, by state, the submissions of other runs' files that a run has moved; none for a selection without a run. */
async function statesMovedIn(ledger: Ledger, selection: ReportSelection) {
  const { runId } = selection;
  if (runId === undefined) return {};
  const isMoved = sql`s.submission_id in (select submission_id from transition where run_id in ${runsOf(runId)})`;
  const moved = query
    .selectFrom('drop_file as d')
    .innerJoin('submission as s', 's.drop_id', 'd.drop_id')
    .select(stateCounts)
    .where(
      sql<boolean>`d.state = 'published' and ${pickedIn(selection)} and not ${ofRun(selection)} and ${isMoved}`,
    );
  return (await first(ledger, moved)) ?? {};
}

/** Counts of `submission as s` for each state, in one pass: grouping would sort a million rows. */
const stateCounts = STATES.map((state) =>
  sql<number>`count(*) filter (where s.state = ${sql.lit(state)})`.as(state),
);
