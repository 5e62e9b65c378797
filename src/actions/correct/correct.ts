import type { Decider } from '../../domain/decider.js';
import { needsPerson } from '../../domain/delivery/correction.js';
import { issueText } from '../../domain/issue.js';
import { OperatorError } from '../../domain/operator-error.js';
import { settingsInQuestion } from '../../staging/key-settings.js';
import type { ActionContext } from '../context.js';
import { requireLeases } from '../decision/decide.js';
import { finishDecisions } from '../decision/finish.js';
import { requiredReason, type Verb } from '../decision/verb.js';
import { carryCorrection } from './carry-correction.js';
import type { CellToSet } from './cells-to-set.js';
import { type Corrected, documentOf, outcome, preview } from './correction-words.js';
import { planRow, type RowPlan } from './plan-row.js';

/** Cells of rows get other values. The console has a page of its own for it, a form with a field for each cell. */
export const correct: Verb<CorrectRequest, RowPlan, Corrected> = {
  name: 'correct',
  needsReason: true,
  plan,
  carryOut,
  preview,
  outcome,
  document: documentOf,
  leavesWork,
};

/** Which row is to be corrected, and its right values. */
export interface CorrectRequest {
  /** A row as `trace` takes it: `file.csv:217`, `12:217` or `#3`. */
  readonly what: string;
  readonly set: readonly CellToSet[];
}

/** Works out what a correction would do; writes nothing. Throws OperatorError where the correction can't be made. */
export async function plan(context: ActionContext, { what, set }: CorrectRequest): Promise<RowPlan> {
  const planned = await planRow(context, what, set);
  const inQuestion = await settingsInQuestion(context.ledger, planned.source);
  if (inQuestion !== null) throw inQuestion;
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
  const because = requiredReason('correct', reason);
  requireEffect(planned);
  await finishDecisions(context, null);
  const asked = { operation: 'correct rows', subject: planned.row.label };
  const correction = { rows: [planned.corrected], mappings: [], file: null, who, because };
  const { decisionId, done, result } = await requireLeases(context, ['stage'], asked, async (kept) =>
    carryCorrection(context, correction, null, kept),
  );
  return { decisionId, rows: done, moved: result.moved ?? 0, resolved: result.resolved ?? 0 };
}

function leavesWork({ outcome: { disposition } }: RowPlan, done: Corrected | null): boolean {
  return done === null ? disposition === 'invalid' : needsPerson(done.rows);
}

function requireEffect({ row: { label }, outcome, issues }: RowPlan): void {
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
    'To keep it from being delivered, dismiss it: registrar dismiss.',
  );
}
