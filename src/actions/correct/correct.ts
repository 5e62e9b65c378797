import type { Decider } from '../../domain/decider.js';
import { needsPerson } from '../../domain/delivery/correction.js';
import { issueText } from '../../domain/issue.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { NewCorrection } from '../../ledger/erasure/open-decision.js';
import { requestedBy } from '../../staging/correct/returned-file.js';
import { settingsInQuestion } from '../../staging/key-settings.js';
import type { ActionContext } from '../context.js';
import { requireLeases } from '../decision/decide.js';
import { finishDecisions } from '../decision/finish.js';
import { requiredReason, type Verb } from '../decision/verb.js';
import { carryCorrection } from './carry-correction.js';
import type { CellToSet } from './cells-to-set.js';
import { type Corrected, type Correcting, documentOf, outcome, preview } from './correction-words.js';
import { planFile } from './plan-file.js';
import { planRow, type RowPlan } from './plan-row.js';

/** Cells of rows get other values. The console has a page of its own for it, a form with a field for each cell. */
export const correct: Verb<CorrectRequest, Correcting, Corrected> = {
  name: 'correct',
  needsReason: true,
  plan,
  carryOut,
  preview,
  outcome,
  document: documentOf,
  leavesWork,
};

/** What is to be corrected. */
export type CorrectRequest =
  | {
      readonly kind: 'row';
      /** A row as `trace` takes it: `file.csv:217`, `12:217` or `#3`. */
      readonly what: string;
      readonly set: readonly CellToSet[];
    }
  /** A corrected attention file; `limit` rows of it are shown. */
  | { readonly kind: 'file'; readonly path: string; readonly limit: number };

/** Works out what a correction would do; writes nothing. Throws OperatorError where the correction can't be made. */
export async function plan(context: ActionContext, request: CorrectRequest): Promise<Correcting> {
  const planned =
    request.kind === 'row'
      ? await planRow(context, request.what, request.set)
      : await planFile(context, request.path, request.limit);
  const inQuestion = await settingsInQuestion(context.ledger, planned.source);
  if (inQuestion !== null) throw inQuestion;
  return planned;
}

/**
 * Carries the plan out as one decision, and one for each learner whom a file maps. Throws OperatorError where a
 * single row would still be no record, or nothing would change; then nothing is decided.
 */
export async function carryOut(
  context: ActionContext,
  planned: Correcting,
  who: Decider,
  reason: string | null,
): Promise<Corrected> {
  const because = requiredReason('correct', reason);
  if (planned.kind === 'row') requireEffect(planned);
  await finishDecisions(context, null);
  const subject = planned.kind === 'file' ? planned.name : planned.row.label;
  const asked = { operation: 'correct rows', subject };
  const correction = { ...correctionOf(planned), who, because };
  const { decisionId, done, result } = await requireLeases(context, ['stage'], asked, async (kept) =>
    carryCorrection(context, correction, null, kept),
  );
  return { decisionId, rows: done, moved: result.moved ?? 0, resolved: result.resolved ?? 0 };
}

function correctionOf(planned: Correcting): Omit<NewCorrection, 'who' | 'because'> {
  if (planned.kind === 'row') return { rows: [planned.corrected], mappings: [], file: null };
  const { sha256, name, read, left } = planned;
  const arrival = { sha256, fileName: name, source: null, runId: null };
  // A file given by hand has its faults reported at once.
  return { ...requestedBy(read), file: { ...arrival, issues: left.issues, refusal: null } };
}

function leavesWork(planned: Correcting, done: Corrected | null): boolean {
  if (done !== null)
    return needsPerson(done.rows) || (planned.kind === 'file' && planned.left.toRepair.length > 0);
  return planned.kind === 'row' ? planned.outcome.disposition === 'invalid' : !planned.checked.isClean;
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
