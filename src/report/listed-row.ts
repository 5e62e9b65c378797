import type { ListedRow } from '../documents/rows.js';
import { leadingIssue } from '../domain/issue.js';
import { cellText } from '../domain/row.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import type { BrowsedRow } from '../ledger/books/rows/browsed-rows.js';
import { fieldsOf, fieldText } from './read-fields.js';
import { clip } from './text/layout.js';
import { causeWords } from './words/causes.js';

/** The most characters of a value and of a sentence; the attention file has all of them. */
const MAX_VALUE_CHARS = 120;
const MAX_SENTENCE_CHARS = 400;

/** A row as pages and documents show it. Personal. */
export function listedRow(row: BrowsedRow): ListedRow {
  const { state, cause, code, issues, cells, header, answer } = row;
  const fields = fieldsOf(row);
  const short = (text: string | null) => text && clip(text, MAX_VALUE_CHARS);
  // A waiting row needs no attention: its cause only says why it waits again.
  const needsAttention = ATTENTION_STATES.some((candidate) => candidate === state);
  const why = state === 'invalid' ? (leadingIssue(issues)?.code ?? null) : needsAttention ? cause : null;
  const words = why === null ? null : causeWords({ state, cause: why, code });
  return {
    drop: row.dropId,
    file: row.file,
    line: row.line,
    state,
    requests: row.requests,
    status: answer?.status ?? null,
    answer: answer?.detail ? clip(answer.detail, MAX_SENTENCE_CHARS) : null,
    errorId: answer?.errorId ?? null,
    problems: issues.map(({ code, column, message, remedy }) => ({
      code,
      column,
      sentence: clip(message ?? 'its text was erased', MAX_SENTENCE_CHARS),
      remedy: clip(remedy, MAX_SENTENCE_CHARS),
    })),
    fields: fields.map(({ name, column, inFile, asRead }) => ({
      name,
      column,
      inFile: short(inFile),
      asRead: short(asRead),
    })),
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
    learner: short(fieldText(fields, 'learner')),
    content: short(fieldText(fields, 'identifier')),
    cells: cells?.map((cell, index) => ({ column: header[index] ?? '', text: cellText(cell) })) ?? null,
  };
}
