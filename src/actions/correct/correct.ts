import type { Decider } from '../../domain/decider.js';
import { needsPerson } from '../../domain/delivery/correction.js';
import { issueText } from '../../domain/issue.js';
import { OperatorError } from '../../domain/operator-error.js';
import { settingsInQuestion } from '../../staging/key-settings.js';
import type { ActionContext } from '../context.js';
import { requireLeases } from '../decision/decide.js';
import { finishDecisions } from '../decision/finish.js';
import { requiredReason, type Verb } from '../decision/verb.js';
import type { RequestOf } from '../decision/verb-facts.js';
import { type Corrected, documentOf, outcome, preview } from './correction-words.js';
import { carryCorrection } from './handler.js';
import { planRows, type RowPlan, type RowToPlan } from './plan-row.js';

/** Cells of rows get other values. The console has a page of its own for it, a form with a field for each cell. */
export const correct: Verb<RequestOf<'correct'>, RowPlan, Corrected> = {
  async plan(context, { row, values }) {
    if (values.length === 0) throw noValues(row);
    return planOne(context, { what: row, set: values });
  },
  carryOut,
  preview,
  outcome,
  document: documentOf,
  leavesWork,
};

function noValues(row: string): OperatorError {
  return new OperatorError({
    operation: 'correct a row',
    subject: row,
    message: 'correct takes one row and its right values',
    hint: 'Name a column and its value. A corrected file is imported like any other: put it into an inbox.',
    reason: 'invalid',
  });
}

/** Works out what a correction would do; writes nothing. Throws OperatorError where the correction can't be made. */
export async function planOne(context: ActionContext, row: RowToPlan): Promise<RowPlan> {
  const [planned] = await planAll(context, { rows: [row] });
  return planned as RowPlan;
}

/** The same for several rows, in their order. */
export async function planAll(
  context: ActionContext,
  { rows }: { readonly rows: readonly RowToPlan[] },
): Promise<RowPlan[]> {
  const planned = await planRows(context, rows);
  for (const source of new Set(planned.map((plan) => plan.source))) {
    const inQuestion = await settingsInQuestion(context.ledger, source);
    if (inQuestion !== null) throw inQuestion;
  }
  return planned;
}

/**
 * Carries the plan out as one decision. Throws OperatorError where the row would still be no record, or nothing would change; then
 * nothing is decided.
 */
export async function carryOut(
  context: ActionContext,
  planned: RowPlan,
  who: Decider,
  reason: string | null,
): Promise<Corrected> {
  requireEffect(planned);
  return carryOutAll(context, [planned], who, reason);
}

/** Carries plans out as one decision; those that would change nothing, or make no record, are left out. */
export async function carryOutAll(
  context: ActionContext,
  planned: readonly RowPlan[],
  who: Decider,
  reason: string | null,
): Promise<Corrected> {
  const because = requiredReason('correct', reason);
  await finishDecisions(context, null);
  const rows = planned.filter(hasEffect).map(({ corrected }) => corrected);
  const action = { operation: 'correct rows', subject: planned[0]?.row.label ?? 'no row' };
  const correction = { rows, mappings: [], file: null, who, because };
  const { decisionId, done, result } = await requireLeases(context, ['stage'], action, async (held) =>
    carryCorrection(context, correction, null, held),
  );
  return { decisionId, rows: done, moved: result.moved ?? 0, resolved: result.resolved ?? 0 };
}

function leavesWork({ outcome: { disposition } }: RowPlan, done: Corrected | null): boolean {
  return done === null ? disposition === 'invalid' : needsPerson(done.rows);
}

/** True where the row would become a record, or its present one would be replaced. */
export function hasEffect({ outcome: { disposition, original } }: RowPlan): boolean {
  return disposition !== 'invalid' && original !== 'unchanged';
}

/** Throws OperatorError, with the reason, where the correction has no effect. */
export function requireEffect({ row: { label }, outcome, issues }: RowPlan): void {
  const { disposition, original } = outcome;
  const why = issues.map(issueText).join(' ');
  const refused = (message: string, hint: string) =>
    new OperatorError({ operation: 'correct a row', subject: label, message, hint, exit: 'attention' });
  if (disposition === 'invalid') {
    throw refused(`with these values ${label} is still no record. ${why}`, 'Nothing was changed.');
  }
  if (original !== 'unchanged') return;
  throw refused(
    `with these values ${label} would be ${disposition}, and nothing would change. ${why}`.trimEnd(),
    'Change another cell; to send the row again unchanged, rerun it; to close it without delivery, dismiss it.',
  );
}
