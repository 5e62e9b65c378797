import { restagedDocument, restagingDocument } from '../actions/documents/restaging-document.js';
import { carryOut, plan, type RestagedDrop, type Restaging } from '../actions/restage/restage.js';
import { issueText } from '../domain/issue.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { textTable } from '../report/text/layout.js';
import type { Answer, Call } from './command.js';
import type { putRight } from './facts/put-right.js';

/** Carries `registrar restage` out. */
export async function answer({
  inputs: [drop = ''],
  options,
  who,
  openToDecide,
}: Call<typeof putRight.restage>): Promise<Answer> {
  const context = await openToDecide({ dryRun: options.dryRun === true });
  const planned = await plan(context, { drop, limit: options.limit });
  if (options.dryRun) {
    return { document: () => restagingDocument(planned), text: (columns) => plannedText(planned, columns) };
  }
  const done = await carryOut(context, planned, who, options.because?.trim() || null);
  return {
    document: () => restagedDocument(planned, done),
    text: (columns) => doneText(done, columns),
    ...(done.still > 0 ? { exit: 'attention' as const } : {}),
  };
}

function plannedText({ outlook }: Restaging, columns: number | null): string {
  const { open, made, repeated, skipped, still, issues, records } = outlook;
  if (open === 0) return NOTHING_OPEN;
  const lines = [
    `${countOf(open, 'invalid row')}: ${made} would wait, ${repeated} ${agreeing(repeated, 'repeats', 'repeat')} what is known, ${skipped} would be skipped by policy, ${still} would still be invalid.`,
  ];
  lines.push(...issuesText(issues, columns), 'Nothing was changed.', '');
  for (const { line, request } of records) {
    lines.push(`line ${line}: ${request.method} ${request.path} ${JSON.stringify(request.body)}`);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

const NOTHING_OPEN = 'No row of this drop is invalid any more.\n';

function doneText(done: RestagedDrop, columns: number | null): string {
  const { open, made, repeated, skipped, still, issues } = done;
  if (open === 0) return NOTHING_OPEN;
  const lines = [
    `${countOf(open, 'invalid row')}: ${made} ${agreeing(made, 'waits', 'wait')} now, ${repeated} ${agreeing(repeated, 'repeats', 'repeat')} what is known, ${skipped} ${agreeing(skipped, 'is', 'are')} skipped by policy, ${still} ${agreeing(still, 'is', 'are')} still invalid.`,
    ...issuesText(issues, columns),
  ];
  if (made > 0) lines.push('', `The next registrar run delivers ${agreeing(made, 'it', 'them')}.`);
  return `${lines.join('\n')}\n`;
}

function issuesText(issues: RestagedDrop['issues'], columns: number | null): string[] {
  if (issues.length === 0) return [];
  const rows = issues.map((issue) => [issue.line, issue.code, issueText(issue)]);
  return ['', textTable(['LINE', 'CODE', 'WHAT AND WHAT TO DO'], rows, columns)];
}
