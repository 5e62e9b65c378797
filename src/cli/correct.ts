import { resolve } from 'node:path';
import {
  type Corrected,
  type Correcting,
  type CorrectRequest,
  carryOut,
  plan,
} from '../actions/correct/correct.js';
import type { FilePlan } from '../actions/correct/plan-file.js';
import { requiredReason } from '../actions/decision/verb.js';
import { correctionDocument } from '../actions/documents/correction-document.js';
import { needsPerson } from '../domain/delivery/correction.js';
import { issueText } from '../domain/issue.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { visibleText } from '../domain/text/visible-text.js';
import { outcomeText } from '../report/correction-text.js';
import { textTable } from '../report/text/layout.js';
import { checkText } from './check-words.js';
import type { Answer, Call } from './command.js';
import type { putRight } from './facts/put-right.js';

/** How many rows of a file are shown. */
const SHOWN = 20;

/** Carries `registrar correct` out. */
export async function answer({
  inputs: [what = ''],
  options,
  io,
  who,
  openToDecide,
}: Call<typeof putRight.correct>): Promise<Answer> {
  const because = options.because?.trim() ?? '';
  if (!options.dryRun) requiredReason('correct', because);
  const { set } = options;
  const request: CorrectRequest =
    set === undefined
      ? { kind: 'file', path: resolve(io.cwd, what), limit: SHOWN }
      : { kind: 'row', what, set };
  const context = await openToDecide({ dryRun: options.dryRun === true });
  const planned = await plan(context, request);
  if (options.dryRun) {
    const isClean =
      planned.kind === 'file' ? isCleanFile(planned) : planned.outcome.disposition !== 'invalid';
    return {
      document: () => correctionDocument(planned, null),
      text: (columns) => `${plannedText(planned, columns)}Nothing was changed.\n`,
      ...(isClean ? {} : { exit: 'attention' as const }),
    };
  }
  const corrected = await carryOut(context, planned, who, because);
  const left = planned.kind === 'file' ? planned.left : { issues: [], toRepair: [] };
  const isClean = left.toRepair.length === 0 && !needsPerson(corrected.rows);
  return {
    document: () => correctionDocument(planned, corrected),
    text: () => `${doneText(corrected)}${left.issues.map(leftText).join('')}`,
    ...(isClean ? {} : { exit: 'attention' as const }),
  };
}

function leftText({ sheet, line, ...issue }: FilePlan['left']['issues'][number]): string {
  return `Left: line ${line}${sheet === null ? '' : ` of sheet ${visibleText(sheet)}`}: ${issueText(issue)}\n`;
}

function isCleanFile({ checked: { refused, dispositions } }: FilePlan): boolean {
  return refused.length === 0 && (dispositions?.invalid ?? 0) === 0;
}

function plannedText(planned: Correcting, columns: number | null): string {
  if (planned.kind === 'file') return checkText({ ...planned.checked, sheetsLeft: [] }, columns);
  const { row, cells, outcome, issues, records } = planned;
  const table = textTable(
    ['COLUMN', 'IN THE FILE', 'NOW', 'READ AS', 'HOW'],
    cells.map(({ column, was, given, value, rule }) => [
      column,
      was,
      given ?? '',
      String(value ?? ''),
      rule ?? '',
    ]),
    columns,
  );
  const lines = [
    table,
    '',
    `${row.label} would be ${outcome.disposition}, and the original ${outcome.original}.`,
    ...issues.map((issue) => `${issue.code}: ${issueText(issue)}`),
    ...records.map(({ request }) => `${request.method} ${request.path} ${JSON.stringify(request.body)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function doneText({ decisionId, rows, moved, resolved }: Corrected): string {
  const lines = [
    `Decision ${decisionId}: ${outcomeText(rows)}.`,
    `${countOf(moved, 'submission')} ${agreeing(moved, 'makes', 'make')} room or ${agreeing(moved, 'goes', 'go')} again, ${countOf(resolved, 'invalid row')} ${agreeing(resolved, 'is', 'are')} dealt with. The next registrar run delivers waiting rows.`,
  ];
  return `${lines.join('\n')}\n`;
}
