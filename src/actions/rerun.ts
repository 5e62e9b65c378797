import type { PlannedRequests } from '../documents/decided.js';
import type { Decider } from '../domain/decider.js';
import type { Selection } from '../domain/selection.js';
import { openDecision } from '../ledger/erasure/open-decision.js';
import {
  planRerun,
  type RerunOutlook,
  type RerunRow,
  rowsToMove,
} from '../ledger/submissions/select/select-rows.js';
import { estimatedMs } from '../report/status/estimate.js';
import type { ActionContext } from './context.js';
import { decide } from './decision/decide.js';
import { moveListed } from './decision/move-listed.js';
import { learnersNamed } from './learners/learners-named.js';
import type { RunResult } from './run/envelope.js';
import type { Chosen, RunWatch } from './run/request.js';

/** What a rerun would do. */
export interface RerunPlan extends Omit<RerunOutlook, 'sent'> {
  readonly selection: Selection;
  /** Requests that deliver the rows, by environment, most first. */
  readonly environments: readonly PlannedRequests[];
  readonly requests: number;
  /** Held rows by the cause that the rerun overrides once. */
  readonly overrides: Readonly<Record<string, number>>;
}

export type { RerunRow };

/** What a rerun has done. */
export interface Rerun {
  readonly decisionId: number;
  /** How many submissions wait again. */
  readonly moved: number;
  readonly run: RunResult;
}

/** A watcher of a rerun, who may stop it. */
export interface RerunWatch extends RunWatch {
  /** Called once the rows wait again, before the first is sent. */
  readonly onMoved: (moved: number, decisionId: number, runId: number) => void;
}

/** How many rows a plan holds; `rerunRows` reads all of them. */
const FIRST = 50;

/**
 * Works out what a rerun would send, on one unchanging view of the ledger; writes nothing. Throws OperatorError where the
 * selection names something that doesn't exist.
 */
export async function plan({ ledger, config }: ActionContext, selection: Selection): Promise<RerunPlan> {
  const { learner } = selection;
  const learners = learner === null ? null : learnersNamed(ledger, learner);
  const { sent, ...outlook } = await planRerun(ledger, { selection, learners }, FIRST);
  const environments = [...sent].map(([name, requests]) => {
    const environment = config.environments[name];
    const takes = environment ? estimatedMs(requests, environment) : null;
    return { environment: name, requests, estimatedMs: takes };
  });
  const overrides: Record<string, number> = {};
  for (const { state, code, rows } of outlook.rows.groups) {
    if (state === 'held') overrides[code] = (overrides[code] ?? 0) + rows;
  }
  return {
    ...outlook,
    selection,
    environments: environments.filter(({ requests }) => requests > 0),
    requests: environments.reduce((sum, { requests }) => sum + requests, 0),
    overrides,
  };
}

/** All rows of a plan in their present state, read page by page. */
export async function* rerunRows(
  { ledger }: Pick<ActionContext, 'ledger'>,
  { filter }: RerunPlan,
): AsyncGenerator<RerunRow, void, undefined> {
  for await (const page of rowsToMove(ledger, filter, 'rerun')) yield* page;
}

/**
 * Records the decision to deliver the rows of a plan again, and delivers them in a run that takes no files in. Rows that
 * have moved since the plan was made are left alone.
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
    onMoved(put.moved, put.decisionId, runId);
    return put;
  };
  // Planning a rerun doesn't need the code that delivers it.
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

/** Rows that wait again, and that are all a run may deliver. */
interface PutBack extends Chosen {
  readonly moved: number;
}

/**
 * The first half of a rerun: records the decision and makes the rows of the plan wait again.
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
  const open = async () => openDecision(ledger, { kind: 'rerun', who, because, selection: recorded, filter });
  const asked = { operation: 'rerun rows', subject: 'the ledger' };
  const { decisionId, result } = await decide(context, moveListed, open, { asked, runId });
  const environments = [...new Set(rows.groups.map(({ environment }) => environment))];
  return { decisionId, moved: result.moved ?? 0, environments };
}
