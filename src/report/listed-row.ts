import { leadingIssue } from '../domain/issue.js';
import { cellText } from '../domain/row.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import type { BrowsedRow } from '../ledger/books/browse/browsed-rows.js';
import { operationNamed } from '../operations/registry.js';
import { type ShownRow, shownRow } from './shown-row.js';
import { causeWords } from './words/cause-words.js';

/** A row as a list of rows shows it. Personal. */
export interface ListedRow extends ShownRow {
  /** null for a row that became no record. */
  readonly submissionId: number | null;
  readonly source: string;
  readonly environment: string;
  readonly operation: string;
  /** null for text files. */
  readonly sheet: string | null;
  readonly cause: BrowsedRow['cause'];
  /** By which people select it. */
  readonly code: string;
  /** Why it is in its state, and what can be done, in words; null where the state says all. */
  readonly reason: string | null;
  readonly remedy: string | null;
  /** ISO time since which it is in its state. */
  readonly since: string | null;
  /** As the record has it, else as the file has it; null where neither does. */
  readonly learner: string | null;
  readonly content: string | null;
  /** All cells with their headers; null where they were erased. */
  readonly cells: readonly { readonly column: string; readonly text: string }[] | null;
}

/** Prepares a row for a list. */
export function listedRow(row: BrowsedRow): ListedRow {
  const shown = shownRow(row);
  const { state, cause, code, issues, cells, header } = row;
  // Of a row that waits, the cause says why it waits again: nobody has to do anything.
  const needsSomebody = ATTENTION_STATES.some((one) => one === state);
  const why = state === 'invalid' ? (leadingIssue(issues)?.code ?? null) : needsSomebody ? cause : null;
  const words = why === null ? null : causeWords({ state, cause: why, code });
  const { fields } = operationNamed(row.operation);
  const shownAs = (name: string | undefined) => {
    const found = shown.fields.find((field) => field.name === name);
    return found?.asRead ?? found?.inFile ?? null;
  };
  return {
    ...shown,
    submissionId: row.submissionId,
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
