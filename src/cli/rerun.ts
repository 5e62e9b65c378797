import type { RequestOf } from '../actions/decision/verb-facts.js';
import { carryOut, type RerunPlan, rerun } from '../actions/rerun.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { Answer, Call } from './command.js';
import { plannedAnswer } from './decision-answer.js';
import { requestOf, type VerbOptions } from './verb-command.js';

export async function answer(call: Call): Promise<Answer> {
  const { io, options, who } = call;
  const { dryRun = false, because }: VerbOptions = options;
  const request = requestOf('rerun', call) as RequestOf<'rerun'>;
  const readable = await call.openToDecide({ dryRun });
  const planned = await rerun.plan(readable, request);
  if (dryRun || planned.rows.total === 0) return plannedAnswer(readable, rerun, planned, dryRun);
  const context = await call.open();
  const onMoved = (moved: number) => {
    if (options.json || options.quiet) return;
    io.err(`${countOf(moved, 'row waits', 'rows wait')} again.\n${aheadText(planned)}`);
  };
  // Looking at a selection doesn't need the code that delivers it.
  const { answerOfRun, withProgress } = await import('./show-run.js');
  const { moved, run } = await withProgress(call, context, (watch) =>
    carryOut(context, planned, who, because ?? null, { ...watch, onMoved }),
  );
  return answerOfRun(call, context, run, { moved });
}

/** Rows that weren't chosen and are sent first all the same, because the order of their slots requires it. */
function aheadText({ ahead }: RerunPlan): string {
  if (ahead.size === 0) return '';
  const ids = [...ahead].slice(0, MAX_NAMED).map((id) => `#${id}`);
  const more = ahead.size > ids.length ? ' and others' : '';
  return `Before them ${agreeing(ahead.size, 'goes', 'go')} ${ids.join(', ')}${more}: older, waiting, and of the same learner and content.\n`;
}

const MAX_NAMED = 5;
