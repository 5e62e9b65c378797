import type { ActionContext } from '../actions/context.js';
import { type Preview, requiredReason, type Verb } from '../actions/decision/verb.js';
import { factsOf } from '../actions/decision/verb-facts.js';
import { type DecidedName, loadVerb } from '../actions/load-verb.js';
import { visibleText } from '../domain/text/visible-text.js';
import { plainText } from '../report/sections/section.js';
import { tableText } from '../report/terminal.js';
import type { Answer, Call } from './command.js';
import { requestOf, type VerbOptions } from './verb-command.js';

/** Plans a decision, and carries it out where it would change something and is more than a dry run. */
export function answerOf(name: DecidedName) {
  return async (call: Call): Promise<Answer> => {
    const { dryRun = false, because }: VerbOptions = call.options;
    const request = requestOf(name, call);
    if (factsOf(name).needsReason && !dryRun) requiredReason(name, because);
    const context = await call.openToDecide({ dryRun });
    const verb = await loadVerb(name);
    const planned = await verb.plan(context, request);
    if (dryRun || !verb.preview(planned).changes) return plannedAnswer(context, verb, planned, dryRun);
    const done = await verb.carryOut(context, planned, call.who, because?.trim() || null);
    return {
      document: () => verb.document(planned, done, false),
      text: () => `${verb.outcome(planned, done).map(visibleText).join('\n')}\n`,
      exit: verb.leavesWork?.(planned, done, false) ? 'attention' : 'done',
    };
  };
}

export function plannedAnswer<Plan>(
  context: ActionContext,
  verb: Pick<Verb<never, Plan, never>, 'preview' | 'document' | 'rows' | 'leavesWork'>,
  planned: Plan,
  dryRun: boolean,
): Answer {
  const entries = verb.rows?.(context, planned);
  return {
    document: () => verb.document(planned, null, dryRun),
    ...(entries === undefined ? {} : { list: { name: 'selected', entries: () => entries } }),
    text: (columns) => previewText(verb.preview(planned), columns),
    exit: verb.leavesWork?.(planned, null, dryRun) ? 'attention' : 'done',
  };
}

function previewText({ headline, lines, tables }: Preview, columns: number | null): string {
  const shown = tables.filter(({ rows }) => rows.length > 0);
  const tableTexts = shown.map(
    (table, index) => `${index === 0 ? '' : `${table.caption}:\n`}${tableText(table, columns)}\n`,
  );
  const sentences = [`${plainText(headline)}.`, ...lines.map(plainText), 'Nothing was changed.'];
  return `${[...tableTexts, ...sentences.map(visibleText)].join('\n')}\n`;
}
