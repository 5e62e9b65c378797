import type { Decider } from '../../domain/decider.js';
import { needsPerson } from '../../domain/delivery/correction.js';
import { issuesText, issueText } from '../../domain/issue.js';
import { errorsOf } from '../../domain/operator-error.js';
import { countOf } from '../../domain/text/count-of.js';
import { outcomeText } from '../../report/correction-text.js';
import { code, name } from '../../report/sections/section.js';
import type { ActionContext } from '../context.js';
import { requireLeases } from '../decision/decide.js';
import { finishDecisions } from '../decision/finish.js';
import { type Preview, requiredReason, type Verb } from '../decision/verb.js';
import type { RequestOf } from '../decision/verb-facts.js';
import { applyCorrection } from './handler.js';
import { planRows, type RowPlan } from './plan-row.js';

/** `rows`: how many came to what. `moved`: submissions that were replaced or sent again. `resolved`: invalid rows. */
export type Corrected = Awaited<ReturnType<typeof carryOutAll>>;

/** Cells of rows get other values. The console has a page of its own for it, a form with a field for each cell. */
export const correct: Verb<RequestOf<'correct'>, RowPlan, Corrected> = {
  async plan(context, { row, values }) {
    if (values.length === 0) {
      const hint =
        'Name a column and its value. A corrected file is imported like any other: put it into an inbox.';
      throw refused(row, 'correct takes one row and its right values', hint, { reason: 'invalid' });
    }
    const [planned] = await planRows(context, { rows: [{ what: row, set: values }] });
    return planned as RowPlan;
  },
  async carryOut(context, planned, who, reason) {
    requireEffect(planned);
    return carryOutAll(context, [planned], who, reason);
  },
  preview,
  outcome,
  document: documentOf,
  leavesWork: ({ outcome: { disposition } }, done) =>
    done === null ? disposition === 'invalid' : needsPerson(done.rows),
};

const refused = errorsOf('correct a row');

/** Carries plans out as one decision; those that would change nothing, or make no record, are left out. */
export async function carryOutAll(
  context: ActionContext,
  planned: readonly RowPlan[],
  who: Decider,
  reason: string | null,
) {
  const because = requiredReason('correct', reason);
  await finishDecisions(context, null);
  const rows = planned.filter(hasEffect).map(({ corrected }) => corrected);
  const correction = { rows, mappings: [], file: null, who, because };
  const { decisionId, done, result } = await requireLeases(context, ['stage'], async (held) =>
    applyCorrection(context, correction, null, held),
  );
  return { decisionId, rows: done, moved: result.moved ?? 0, resolved: result.resolved ?? 0 };
}

/** True where the row would become a record, or its present one would be replaced. */
export function hasEffect({ outcome: { disposition, original } }: RowPlan): boolean {
  return disposition !== 'invalid' && original !== 'unchanged';
}

/** Throws OperatorError, with the reason, where the correction has no effect. */
export function requireEffect({ row: { label }, outcome, issues }: RowPlan): void {
  const { disposition, original } = outcome;
  const why = issuesText(issues);
  if (disposition === 'invalid') {
    const message = `with these values, ${label} is still invalid. ${why}`;
    throw refused(label, message, 'Nothing was changed.', { exit: 'attention' });
  }
  if (original !== 'unchanged') return;
  const message = `with these values, ${label} would be ${disposition}, and nothing would change. ${why}`;
  const hint =
    'Change another cell; to send the row again unchanged, rerun it; to close it without delivery, dismiss it.';
  throw refused(label, message.trimEnd(), hint, { exit: 'attention' });
}

/** What a correction would do. It is always a change: what can't be one is refused when it is carried out. */
export function preview({ row, cells, outcome, issues, records }: RowPlan): Preview {
  return {
    headline: [name(row.label), ` would be ${outcome.disposition}, and the original ${outcome.original}`],
    lines: [
      ...issues.map((issue) => `${issue.code}: ${issueText(issue)}`),
      ...records.map(({ request }) =>
        code(`${request.method} ${request.path} ${JSON.stringify(request.body)}`),
      ),
    ],
    tables: [
      {
        caption: 'The cells',
        columns: ['Column', 'In the file', 'Now', 'Read as', 'How'].map((title) => ({ title })),
        rows: cells.map(({ column, was, given, value, rule }) => ({
          cells: [column, was, given ?? '', String(value ?? ''), rule ?? ''],
        })),
        look: 'list',
      },
    ],
    changes: true,
    fingerprint: String(row.correctedBy ?? 0),
  };
}

export function outcome(_planned: unknown, { decisionId, rows, moved, resolved }: Corrected): string[] {
  return [
    `Decision ${decisionId}: ${outcomeText(rows)}.`,
    `${countOf(resolved, 'invalid row')} resolved, ${countOf(moved, 'submission')} replaced or waiting again. The next registrar run delivers waiting rows.`,
  ];
}

/** A correction as `correct --json` prints it. @param corrected null: it is only planned. */
function documentOf(planned: RowPlan, corrected: Corrected | null) {
  const { source, cells, issues, records } = planned;
  return {
    dryRun: corrected === null,
    source: source.name,
    row: { ...rowDocument(planned), cells },
    issues,
    records: records.map(({ key, request }) => ({ key, request })),
    ...doneDocument(corrected),
  };
}

/** A row with its result, as documents have it. */
export function rowDocument({ row: { dropId, drop, line }, outcome }: RowPlan) {
  return { drop: dropId, file: drop.file, line, ...outcome };
}

/** The members of a document that say what a correction did; null: nothing was decided. */
export function doneDocument(done: Corrected | null) {
  return {
    decision: done?.decisionId ?? null,
    moved: done?.moved ?? null,
    resolved: done?.resolved ?? null,
    rows: done?.rows ?? null,
  };
}
