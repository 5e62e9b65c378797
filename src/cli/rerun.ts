import { rerunDocument, rerunEntry } from '../actions/documents/selection-document.js';
import { carryOut, plan, type RerunPlan, rerunRows } from '../actions/rerun.js';
import { RERUNNABLE } from '../actions/rows/selectable.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { inWords } from '../domain/text/duration-words.js';
import { obstacleWords } from '../report/words/obstacle-words.js';
import type { Answer, Call } from './command.js';
import type { putRight } from './facts/put-right.js';
import { requiredRows } from './row-selection.js';
import { selectionText } from './selected-text.js';

/** Carries `registrar rerun` out. */
export async function answer(call: Call<typeof putRight.rerun>): Promise<Answer> {
  const { options } = call;
  const selection = requiredRows('rerun', options, RERUNNABLE);
  const context = await call.openToDecide({ dryRun: options.dryRun === true });
  const planned = await plan(context, selection);
  if (!options.dryRun && planned.rows.total > 0) return delivered(call, planned);
  return {
    document: () => rerunDocument(planned, options.dryRun === true),
    list: {
      name: 'selected',
      async *entries() {
        for await (const row of rerunRows(context, planned)) yield rerunEntry(row);
      },
    },
    text: (columns) => textOf(planned, options.dryRun === true, columns),
  };
}

async function delivered(call: Call<typeof putRight.rerun>, planned: RerunPlan): Promise<Answer> {
  const { io, options, who } = call;
  const context = await call.open();
  const onMoved = (moved: number) => {
    if (options.json || options.quiet) return;
    io.err(`${countOf(moved, 'row waits', 'rows wait')} again.\n${aheadText(planned)}`);
  };
  // Looking at a selection doesn't need the code that delivers it.
  const { answerOfRun, withProgress } = await import('./show-run.js');
  const { moved, run } = await withProgress(call, context, (watch) =>
    carryOut(context, planned, who, options.because ?? null, { ...watch, onMoved }),
  );
  return answerOfRun(call, context, run, { moved });
}

function textOf(planned: RerunPlan, dryRun: boolean, columns: number | null): string {
  const { rows, first, environments, overrides, behind, replaced, damaged, invalid } = planned;
  const obstacles = new Map(first.map(({ row, obstacle }) => [row.submissionId, obstacle]));
  const shown = { ...planned, first: first.map(({ row }) => row) };
  const text = selectionText(
    shown,
    columns,
    ({ submissionId, state, code }) =>
      obstacleWords(obstacles.get(submissionId) ?? null) ?? (state === 'held' ? `overrides ${code}` : ''),
    RERUNNABLE.instead,
  );
  const outlook = [
    `${rows.total} would be sent. Nothing was changed.`,
    ...environments.map(
      ({ environment, requests, estimatedMs: ms }) =>
        `${countOf(requests, 'request')} to ${environment}, ${ms === null ? "which registrar.yaml doesn't have" : `some ${inWords(ms)} at its quota`}.`,
    ),
    ...Object.entries(overrides).map(([code, count]) => `${count} held as ${code} would be let pass, once.`),
    ...(behind > 0
      ? [
          `${behind} would go after one of the same learner and content that waits already: that one is sent as well.`,
        ]
      : []),
    ...(replaced > 0 ? [`${replaced} would not be sent, because a newer revision takes their place.`] : []),
    ...(damaged > 0
      ? [
          `${damaged} would not be sent, because the ledger keeps something else than was staged: restore a backup first.`,
        ]
      : []),
  ];
  const lines = [
    text,
    ...(dryRun && rows.total > 0 ? outlook : []),
    ...(invalid > 0
      ? [
          `${countOf(invalid, 'invalid row')} ${agreeing(invalid, 'fits', 'fit')} as well. ${RERUNNABLE.instead?.invalid ?? ''}`,
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Rows that weren't chosen and are sent first all the same, because the order of their slots requires it. */
function aheadText({ ahead }: RerunPlan): string {
  if (ahead.size === 0) return '';
  const ids = [...ahead].slice(0, MOST_NAMED).map((id) => `#${id}`);
  const more = ahead.size > ids.length ? ' and others' : '';
  return `Before them ${agreeing(ahead.size, 'goes', 'go')} ${ids.join(', ')}${more}: older, waiting, and of the same learner and content.\n`;
}

/** The most names in a line. */
const MOST_NAMED = 5;
