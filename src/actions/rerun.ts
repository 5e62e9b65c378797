import type { PlannedRequests } from '../documents/decisions.js';
import type { Decider } from '../domain/decider.js';
import { describeSelection, type Selection } from '../domain/selection.js';
import { agreeing } from '../domain/text/count-of.js';
import { roughlyInWords } from '../domain/text/duration-words.js';
import {
  type Obstacle,
  planRerun,
  type RerunOutlook,
  rowsToMove,
} from '../ledger/submissions/select/select-rows.js';
import { estimatedMs } from '../report/status/delivery-estimate.js';
import { counted, numberText } from '../report/text/counted.js';
import type { ActionContext } from './context.js';
import { decide } from './decision/decide.js';
import { moveRowsHandler } from './decision/handler.js';
import type { Preview, Verb } from './decision/verb.js';
import type { RequestOf } from './decision/verb-facts.js';
import { withLearners } from './learners/learners-named.js';
import { noMatchText, omittedLines, PREVIEW_ROWS, rowTables } from './rows/chosen-rows.js';
import { RERUNNABLE } from './rows/selectable.js';
import { type RunListener, WHOLE_RUN } from './run/request.js';

/** Delivers rows again. The command line and the console carry it out differently, because it takes as long as a run. */
export const rerun: Omit<Verb<RequestOf<'rerun'>, RerunPlan, Rerun>, 'carryOut' | 'outcome'> = {
  async plan({ ledger, config }, { selection }) {
    const { sent, ...outlook } = await planRerun(ledger, withLearners(ledger, selection), PREVIEW_ROWS);
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
  },
  preview,
  document({ rows, ahead, omitted, ...planned }, _done, dryRun) {
    const { requests, environments, overrides, replaced, damaged, behind, invalid } = planned;
    return {
      ...{ dryRun, requests, environments, overrides, replaced, damaged, behind, ahead: ahead.size, invalid },
      ...{ count: rows.total, causes: rows.groups, omitted },
    };
  },
  rows: rerunEntries,
};

export interface RerunPlan extends Omit<RerunOutlook, 'sent'> {
  readonly selection: Selection;
  /** Requests that deliver the rows, by environment, most first. */
  readonly environments: readonly PlannedRequests[];
  readonly requests: number;
  /** Held rows by the cause that the rerun overrides once. */
  readonly overrides: Readonly<Record<string, number>>;
}

/** `moved`: how many submissions wait again. */
export type Rerun = Awaited<ReturnType<typeof carryOut>>;

function preview(planned: RerunPlan): Preview {
  const { selection, rows, first, omitted, invalid } = planned;
  const obstacles = new Map(first.map(({ row, obstacle }) => [row.submissionId, obstacleWords(obstacle)]));
  const changes = rows.total > 0;
  return {
    headline: changes ? headline(planned) : noMatchText(selection),
    lines: [
      ...omittedLines(omitted, RERUNNABLE.instead),
      ...(changes ? outlook(planned) : []),
      ...(invalid > 0
        ? [
            `${counted(invalid, 'invalid row')} ${agreeing(invalid, 'matches', 'match')} as well, but ${agreeing(invalid, 'has', 'have')} no record to send. Correct ${agreeing(invalid, 'it', 'them')} first.`,
          ]
        : []),
    ],
    tables: changes
      ? rowTables(
          { rows, first: first.map(({ row }) => row) },
          ({ submissionId, state, code }) =>
            obstacles.get(submissionId) ?? (state === 'held' ? `overrides ${code}` : ''),
        )
      : [],
    changes,
    fingerprint: `${rows.total} ${rows.which}`,
  };
}

/** "412 rows, 412 requests, about 6 min; 3 wait behind older ones". */
function headline({ rows, requests, environments, behind }: RerunPlan): string {
  const longestMs = Math.max(0, ...environments.map(({ estimatedMs }) => estimatedMs ?? 0));
  const takes = longestMs === 0 ? '' : `, about ${roughlyInWords(longestMs)}`;
  const after =
    behind === 0 ? '' : `; ${numberText(behind)} ${agreeing(behind, 'waits', 'wait')} behind older ones`;
  return `${counted(rows.total, 'row')}, ${counted(requests, 'request')}${takes}${after}`;
}

function outlook({ selection, environments, overrides, behind, ahead, ...planned }: RerunPlan): string[] {
  const { replaced, damaged } = planned;
  const lines = [
    `Selected: ${describeSelection(selection)}.`,
    ...environments.map(
      ({ environment, requests, estimatedMs: ms }) =>
        `${counted(requests, 'request')} to ${environment}, ${ms === null ? "which registrar.yaml doesn't have" : `about ${roughlyInWords(ms)} at its quota`}.`,
    ),
    ...Object.entries(overrides).map(
      ([code, count]) => `${counted(count, 'row')} held as ${code}: sent once anyway.`,
    ),
  ];
  if (behind > 0)
    lines.push(
      `${counted(behind, 'row')} ${agreeing(behind, 'goes', 'go')} after ${counted(ahead.size, 'older one')} of the same learner and content, which ${agreeing(ahead.size, 'waits already and is', 'wait already and are')} sent as well.`,
    );
  if (replaced > 0)
    lines.push(
      `${counted(replaced, 'row')} not sent: a newer revision takes ${agreeing(replaced, 'its', 'their')} place.`,
    );
  if (damaged > 0)
    lines.push(
      `${counted(damaged, 'row')} not sent: the ledger keeps something else than was staged. Restore a backup first.`,
    );
  return lines;
}

export async function* rerunRows({ ledger }: Pick<ActionContext, 'ledger'>, { filter }: RerunPlan) {
  for await (const page of rowsToMove(ledger, filter)) yield* page;
}

async function* rerunEntries(context: ActionContext, planned: RerunPlan): AsyncGenerator<unknown> {
  for await (const { row, obstacle } of rerunRows(context, planned)) {
    yield {
      ...row,
      replacedBy: obstacle?.kind === 'replaced' ? obstacle.by : null,
      behind: obstacle?.kind === 'behind' ? obstacle.id : null,
      damaged: obstacle?.kind === 'damaged',
    };
  }
}

/** Records the decision, and delivers the rows in a run without imports. Rows that changed state meanwhile are skipped. */
export async function carryOut(
  context: ActionContext,
  planned: RerunPlan,
  who: Decider,
  because: string | null,
  /** `onMoved` is called once the rows wait again, before the first is sent. */
  {
    onMoved,
    ...listener
  }: RunListener & { readonly onMoved: (moved: number, decisionId: number, runId: number) => void },
) {
  let requeued = { decisionId: 0, moved: 0 };
  const onStart = async (runId: number) => {
    const { environments, ...done } = await requeueRows(context, planned, who, because, runId);
    requeued = done;
    onMoved(done.moved, done.decisionId, runId);
    return { decisionId: done.decisionId, environments };
  };
  // Planning a rerun doesn't need the code that delivers it.
  const run = await import('./run.js');
  // The operator requested these rows only.
  const request = { ...WHOLE_RUN, trigger: 'rerun' as const, intake: false, onStart };
  return { run: await run.carryOut(context, request, who, listener), ...requeued };
}

/** The first half of a rerun: records the decision and makes the rows wait again. @param runId the run that delivers them. */
export async function requeueRows(
  context: ActionContext,
  { filter, recorded, rows }: RerunPlan,
  who: Decider,
  because: string | null,
  runId: number,
) {
  const facts = { kind: 'rerun' as const, who, because, selection: recorded, filter };
  const { decisionId, result } = await decide(context, moveRowsHandler, facts, runId);
  const environments = [...new Set(rows.groups.map(({ environment }) => environment))];
  return { decisionId, moved: result.moved ?? 0, environments };
}

/** Why a chosen row is not sent, or after which it goes; null: nothing is in its way. */
function obstacleWords(obstacle: Obstacle | null): string | null {
  if (obstacle === null) return null;
  if (obstacle.kind === 'behind') return `after #${obstacle.id}`;
  return `not sent: ${obstacle.kind === 'damaged' ? 'damaged' : `#${obstacle.by} is newer`}`;
}
