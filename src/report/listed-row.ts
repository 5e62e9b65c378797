import type { ListedRow } from '../documents/rows.js';
import { leadingIssue } from '../domain/issue.js';
import { cellText } from '../domain/row.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import type { BrowsedRow } from '../ledger/books/rows/browsed-rows.js';
import { operationNamed } from '../operations/registry.js';
import { shownRow } from './shown-row.js';
import { causeWords } from './words/causes.js';

export function listedRow(row: BrowsedRow): ListedRow {
  const shown = shownRow(row);
  const { state, cause, code, issues, cells, header } = row;
  // A waiting row needs no attention: its cause only says why it waits again.
  const needsAttention = ATTENTION_STATES.some((candidate) => candidate === state);
  const why = state === 'invalid' ? (leadingIssue(issues)?.code ?? null) : needsAttention ? cause : null;
  const words = why === null ? null : causeWords({ state, cause: why, code });
  const { fields } = operationNamed(row.operation);
  const shownAs = (name: string | undefined) => {
    const shownField = shown.fields.find((field) => field.name === name);
    return shownField?.asRead ?? shownField?.inFile ?? null;
  };
  return {
    ...shown,
    submission: row.submissionId,
    source: row.source,
    environment: row.environment,
    operation: row.operation,
    sheet: row.sheet,
    cause,
    code,
    reason: words?.reason ?? null,
    remedy: words?.remedy ?? null,
    since: row.since,
    learner: shownAs(fields.find(({ kind }) => kind === 'learner')?.name),
    content: shownAs('content-id'),
    cells: cells?.map((cell, index) => ({ column: header[index] ?? '', text: cellText(cell) })) ?? null,
  };
}
