import type { Decider } from '../domain/decider.js';
import type { Selectable, Selection } from '../domain/selection.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import { listDecision } from '../ledger/decisions.js';
import { reading } from '../ledger/query.js';
import {
  countSelected,
  type Selected,
  type SelectedCount,
  selectedPage,
  selectedPages,
} from '../ledger/selection.js';
import { estimatedMs } from '../report/estimate.js';
import type { ActionContext } from './context.js';
import { decide } from './decision/decide.js';
import { moveListed } from './decision/move-listed.js';
import { type LocatedRows, locateRows } from './rows/locate-rows.js';
import { type Obstacle, rerunOutlook } from './rows/rerun-outlook.js';
import type { RunResult } from './run/envelope.js';
import type { Chosen, RunWatch } from './run/request.js';

/** What can be delivered again. */
export const RERUNNABLE: Selectable = {
  done: 'rerun',
  states: ATTENTION_STATES,
  usual: ATTENTION_STATES,
  instead: {
    invalid:
      'An invalid row became no record, so there is nothing to send. Correct it in the attention file, or mend registrar.yaml and registrar restage DROP.',
  },
};

/** A row that fits, with what would keep it from being sent at once; null: nothing. */
export interface RerunRow {
  readonly row: Selected;
  readonly obstacle: Obstacle | null;
}

/** What a rerun would do. */
export interface RerunPlan extends LocatedRows {
  readonly selection: Selection;
  readonly rows: SelectedCount;
  /** Requests that sending them takes, by environment, most first. */
  readonly environments: readonly PlannedRequests[];
  readonly requests: number;
  /** Held rows by why they are held, which it overrides once. */
  readonly overrides: Readonly<Record<string, number>>;
  /** Rows that would not be sent: a newer revision takes their place. */
  readonly replaced: number;
  /** Rows that would be held again: what the ledger keeps of them is not what was staged. */
  readonly damaged: number;
  /** Rows that go after one that waits already. */
  readonly behind: number;
  /** Those that wait and go before them: they are sent as well. */
  readonly ahead: ReadonlySet<number>;
  /** Invalid rows that fit otherwise, which no rerun helps. */
  readonly invalid: number;
  /** The first of the rows. */
  readonly first: readonly RerunRow[];
}

/** Requests to one environment. */
export interface PlannedRequests {
  readonly environment: string;
  readonly requests: number;
  /** How long they take at its quota; null where registrar.yaml doesn't have it. */
  readonly estimatedMs: number | null;
}

/** What a rerun has done. */
export interface Rerun {
  readonly decisionId: number;
  /** Submissions that were put back to wait. */
  readonly moved: number;
  readonly run: RunResult;
}

/** Who watches a rerun, and may stop it. */
export interface RerunWatch extends RunWatch {
  /** Called once the rows wait again, before the first is sent. */
  readonly onMoved: (moved: number) => void;
}

/** Rows of a plan that are looked at before somebody asks for all. */
const FIRST = 50;

/**
 * Works out what a rerun would send, on one unchanging view of the ledger; writes nothing. Throws OperatorError for what is
 * named and doesn't exist.
 */
export function plan({ ledger, config }: ActionContext, selection: Selection): RerunPlan {
  return reading(ledger, () => {
    const located = locateRows(ledger, selection);
    const { filter } = located;
    const rows = countSelected(ledger, filter);
    const counts = { replaced: 0, damaged: 0, behind: 0 };
    const ahead = new Set<number>();
    const unsent = new Map<string, number>();
    for (const page of selectedPages(ledger, filter)) {
      const obstacles = rerunOutlook(ledger, page);
      for (const { submissionId, environment } of page) {
        const obstacle = obstacles.get(submissionId ?? 0);
        if (obstacle === undefined) continue;
        counts[obstacle.kind] += 1;
        if (obstacle.kind === 'behind') ahead.add(obstacle.id);
        else unsent.set(environment, (unsent.get(environment) ?? 0) + 1);
      }
    }
    const sums = sumsBy(rows.groups, ({ environment }) => environment);
    const environments = [...sums].map(([name, fitting]) => {
      const environment = config.environments[name];
      const requests = fitting - (unsent.get(name) ?? 0);
      return {
        environment: name,
        requests,
        estimatedMs: environment ? estimatedMs(requests, environment) : null,
      };
    });
    const held = rows.groups.filter(({ state }) => state === 'held');
    const isNarrowed = selection.rows !== null || selection.states.length < RERUNNABLE.usual.length;
    return {
      ...located,
      selection,
      rows,
      environments: environments.filter(({ requests }) => requests > 0),
      requests: environments.reduce((sum, { requests }) => sum + requests, 0),
      overrides: Object.fromEntries(sumsBy(held, ({ code }) => code)),
      ...counts,
      ahead,
      invalid: isNarrowed ? 0 : invalidToo(ledger, selection),
      first: withObstacles(ledger, selectedPage(ledger, filter, null, FIRST)),
    };
  });
}

/** All rows of a plan, as they are by now: read page by page. */
export function* rerunRows(
  { ledger }: Pick<ActionContext, 'ledger'>,
  { filter }: RerunPlan,
): Generator<RerunRow, void, undefined> {
  for (const page of selectedPages(ledger, filter)) yield* withObstacles(ledger, page);
}

/**
 * Decides that the rows of a plan are delivered again, and delivers them in a run that takes nothing in. Rows that have
 * moved since the plan was made are left alone.
 */
export async function carryOut(
  context: ActionContext,
  planned: RerunPlan,
  who: Decider,
  because: string | null,
  { onMoved, ...watch }: RerunWatch,
): Promise<Rerun> {
  const puts: PutBack[] = [];
  const begun = async (runId: number) => {
    const put = await putBack(context, planned, who, because, runId);
    puts.push(put);
    onMoved(put.moved);
    return put;
  };
  // To look at a selection takes none of the code that delivers it.
  const run = await import('./run.js');
  const request = {
    trigger: 'rerun' as const,
    sources: [],
    confirmed: [],
    // A person asked for these rows only.
    intake: false,
    push: true,
    maxDurationMs: null,
    begun,
  };
  const ran = await run.carryOut(context, request, who, watch);
  const { decisionId = 0, moved = 0 } = puts[0] ?? {};
  return { decisionId, moved, run: ran };
}

/** Rows that wait again, and that a run may deliver and nothing else. */
interface PutBack extends Chosen {
  readonly moved: number;
}

/**
 * The first half: the decision is recorded, and the rows of the plan wait again.
 * @param runId the run that delivers them.
 */
export async function putBack(
  context: ActionContext,
  { filter, recorded, rows }: RerunPlan,
  who: Decider,
  because: string | null,
  runId: number,
): Promise<PutBack> {
  const { ledger } = context;
  const open = () => listDecision(ledger, { kind: 'rerun', who, because, selection: recorded }, filter);
  const asked = { operation: 'rerun rows', subject: 'the ledger' };
  const { decisionId, result } = await decide(context, moveListed, open, { asked, runId });
  const environments = [...new Set(rows.groups.map(({ environment }) => environment))];
  return { decisionId, moved: result.moved ?? 0, environments };
}

function invalidToo(ledger: ActionContext['ledger'], selection: Selection): number {
  const { filter } = locateRows(ledger, { ...selection, states: ['invalid'] });
  return countSelected(ledger, filter).total;
}

function withObstacles(ledger: ActionContext['ledger'], page: readonly Selected[]): RerunRow[] {
  const obstacles = rerunOutlook(ledger, page);
  return page.map((row) => ({ row, obstacle: obstacles.get(row.submissionId ?? 0) ?? null }));
}

function sumsBy<T extends { readonly rows: number }>(
  groups: readonly T[],
  nameOf: (group: T) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const group of groups) sums.set(nameOf(group), (sums.get(nameOf(group)) ?? 0) + group.rows);
  return sums;
}
