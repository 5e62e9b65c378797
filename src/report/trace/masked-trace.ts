import type { FieldValue } from '../../domain/record.js';
import type { KeptDecision } from '../../ledger/decisions/decision-log.js';
import type { TracedDrop } from '../../ledger/drops/traced-drops.js';
import type { LifeAnswer, LifeTransition } from '../../ledger/trace/submission-life.js';
import { operationNamed } from '../../operations/registry.js';
import { type Mask, maskFor } from '../shown-row.js';
import { maskRefusal, maskText } from '../words/mask.js';
import type { Trace, TracedSubmission } from './trace.js';
import type { TracedRow } from './traced-row.js';

/**
 * A trace for somebody who may not see whom it is about, made from one whose remarks are masked. Values that were read are masked. Left out are all texts that can't be
 * masked for certain: cells, headers of columns that feed no field, the platform's words and answers, what people wrote as their
 * reason, and corrections of identifiers.
 */
export function maskedTrace(trace: Trace): Trace {
  const maskAt = new Map(trace.rows.map((row) => [placeOf(row.drop.dropId, row.line), maskOf(row, trace)]));
  return {
    ...trace,
    rows: trace.rows.map((row) => maskedRow(row, maskAt.get(placeOf(row.drop.dropId, row.line)))),
    submissions: trace.submissions.map((life) => maskedLife(life)),
    corrections: [],
  };
}

function placeOf(dropId: number, line: number): string {
  return `${dropId}:${line}`;
}

function maskOf({ drop, line, cells, issues }: TracedRow, { submissions }: Trace): Mask {
  const made = submissions.find((life) => life.dropId === drop.dropId && life.line === line);
  const { operation, header, mapping } = drop;
  const values = cells?.map(({ value }) => value) ?? null;
  return maskFor({ operation, header, mapping, cells: values, record: made?.record ?? null, issues }, true);
}

function maskedRow(row: TracedRow, mask: Mask | undefined): TracedRow {
  const fields = operationNamed(row.drop.operation).fields;
  return {
    ...row,
    drop: maskedDrop(row.drop),
    cells: null,
    issues: row.issues.map((issue) => ({
      ...issue,
      value: null,
      message: issue.message === null || mask === undefined ? null : mask.message(issue, issue.message),
      remedy: mask === undefined ? '' : mask.remedy(issue, issue.remedy),
    })),
    fields: row.fields.flatMap((explained) => {
      const field = fields.find(({ name }) => name === explained.field);
      if (field === undefined || mask === undefined) return [];
      const { before, after } = explained;
      return {
        ...explained,
        before: before === null ? null : mask.cell(field, before),
        after: after === null ? null : mask.value(field, String(after)),
        // It may quote what another reading would give.
        rule: '',
      };
    }),
    resolution: row.resolution && { ...row.resolution, decision: withoutReason(row.resolution.decision) },
  };
}

function maskedDrop(drop: TracedDrop): TracedDrop {
  const mapped = new Set(Object.values(drop.mapping));
  return {
    ...drop,
    header: drop.header.map((name) => (mapped.has(name) ? name : '')),
    refusal: drop.refusal && maskRefusal(drop.refusal),
  };
}

function maskedLife({ record, ...life }: TracedSubmission): TracedSubmission {
  return {
    ...life,
    learner: null,
    record: record && maskedRecord(life.operation, record),
    madeBy: life.madeBy && withoutReason(life.madeBy),
    transitions: life.transitions.map(maskedTransition),
    attempts: life.attempts.map((attempt) => ({ ...attempt, answers: attempt.answers.map(maskedAnswer) })),
  };
}

function maskedRecord(operation: string, record: Readonly<Record<string, FieldValue>>) {
  const { fields } = operationNamed(operation);
  const mask = maskFor({ operation, header: [], mapping: {}, cells: null, record, issues: [] }, true);
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const field = fields.find((one) => one.name === name);
      return [name, field === undefined ? maskText(String(value)) : mask.value(field, String(value))];
    }),
  );
}

function maskedTransition(transition: LifeTransition): LifeTransition {
  const { decision } = transition;
  return {
    ...transition,
    words: null,
    decision: decision && withoutReason(decision),
  };
}

function maskedAnswer(answer: LifeAnswer): LifeAnswer {
  return {
    ...answer,
    reason: null,
    errorId: null,
    errorTitle: null,
    errorDetail: null,
    errorSource: null,
    headers: {},
    body: null,
    bodyState: null,
  };
}

function withoutReason(decision: KeptDecision): KeptDecision {
  return { ...decision, because: null };
}
