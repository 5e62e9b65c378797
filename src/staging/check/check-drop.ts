import type { PlatformCalls } from '../../config/platform-calls.js';
import type { SourceConfig } from '../../config/schema.js';
import type { CheckDocument } from '../../documents/check.js';
import type { Clock } from '../../domain/clock.js';
import { countedAs, type Judgement } from '../../domain/delivery/judge.js';
import { grouped } from '../../domain/grouped.js';
import type { Issue, IssueCode } from '../../domain/issue.js';
import type { NormalisedRecord } from '../../domain/record.js';
import { type Disposition, noDispositions } from '../../domain/row.js';
import type { ReadableDrop } from '../../intake/opened-drop.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { keyText, type PreparedRecord, type RecordTarget } from '../../operations/keys.js';
import { contentOf, type Operation } from '../../operations/operation.js';
import { recordOf } from '../../operations/record-text.js';
import { callOf } from '../../platform/calls/call-of.js';
import type { PlatformRequest } from '../../platform/calls/platform-call.js';
import type { DropPlan } from '../../reading/plan-drop.js';
import { invalidWatch } from '../prepare/mostly-invalid.js';
import { NO_LEDGER, type PreparedStep, prepareRows } from '../prepare/prepare-rows.js';
import { type CheckedRows, recordJudge, sameKeysIn, seenRevisions } from './judge-records.js';

/** What staging would make of a file. */
export interface CheckedDrop {
  /** Why the file would be refused because of its rows; null: it would not. */
  readonly refusal: Issue | null;
  readonly dispositions: Readonly<Record<Disposition, number>>;
  /** Data rows among them that are hidden in the sheet. */
  readonly hiddenRows: number;
  /** The first `limit` issues of invalid and skipped rows. */
  readonly issues: readonly (Issue & { readonly line: number })[];
  /** The columns that records would be sent without; `omittedIssues` has the first `limit` issues of such rows. */
  readonly omitted: CheckDocument['omitted'];
  readonly omittedIssues: readonly (Issue & { readonly line: number })[];
  /** The first `limit` records that would be delivered; records that share a request have the same `request`. */
  readonly records: readonly {
    readonly line: number;
    readonly key: string;
    readonly request: PlatformRequest;
  }[];
}

export interface CheckedRecord {
  readonly line: number;
  readonly key: string;
  readonly record: NormalisedRecord;
}

interface CheckContext {
  readonly ledger: Ledger | null;
  readonly clock: Clock;
  readonly source: SourceConfig;
  readonly operation: Operation;
  readonly calls: PlatformCalls;
  readonly limit: number;
  /** The previous sheet of the same table; absent: there is none. */
  readonly after?: CheckedRows | undefined;
}

/**
 * Runs staging without writing: the same preparation and the same judgement, against the ledger and the earlier rows
 * of the file. `ledger` is null where there is none yet. Throws UndecidedRow where the plan is from the first rows
 * only and a row needs the profile of the whole file.
 */
export async function checkDrop(
  opened: ReadableDrop,
  plan: DropPlan,
  context: CheckContext,
): Promise<CheckedDrop & { readonly rows: CheckedRows }> {
  const checked = await checkRows(opened, plan, context, new Map());
  // Which rows of a repeated key count is known only after the last row. A file with such rows is read a second time.
  if (checked.refusal !== null || checked.rows.seen.contradictory.size === 0) return checked;
  const steps = (plan: DropPlan) => stepsOf(opened, plan, context);
  const refusedFiles = await sameKeysIn(checked.rows, steps, context);
  return refusedFiles.size === 0 ? checked : checkRows(opened, plan, context, refusedFiles);
}

async function checkRows(
  opened: ReadableDrop,
  plan: DropPlan,
  context: CheckContext,
  refusedFiles: CheckedRows['refusedFiles'],
): Promise<CheckedDrop & { readonly rows: CheckedRows }> {
  const { ledger, operation, calls, limit, after = null } = context;
  const target = { operation, environment: context.source.environment };
  const dispositions = noDispositions();
  const issues: (Issue & { line: number })[] = [];
  const records: CheckedRecord[] = [];
  const without = omittedCounter(limit);
  const revisions = seenRevisions(after?.seen);
  const judgeRecords = recordJudge({ ledger, ...target, isCorrection: false, seen: revisions });
  let hiddenRows = 0;
  const watch = invalidWatch(context.source);
  for await (const step of stepsOf(opened, plan, context)) {
    watch.add(step.judged);
    hiddenRows += step.hiddenRows ?? 0;
    for (const { row: read } of step.rows) {
      const verdict = refusedFiles.get(read.line);
      const row: PreparedRow = verdict === undefined ? read : { line: read.line, ...verdict };
      if (row.kind !== 'record') {
        dispositions[row.kind] += (row.kind === 'blank' ? row.lines : undefined) ?? 1;
        if (row.kind === 'invalid' || row.kind === 'skipped') {
          for (const issue of row.issues)
            if (issues.length < limit) issues.push({ line: row.line, ...issue });
        }
        continue;
      }
      const prepared = [row, ...(row.further ?? [])];
      const judgements = await judgeRecords(prepared);
      if (records.length < limit) records.push(...toDeliver(row.line, target, prepared, judgements));
      const chosen = countedAs(judgements);
      dispositions[chosen.disposition] += 1;
      if (row.omitted && chosen.disposition !== 'duplicate') without.add(row.line, row.omitted);
    }
  }
  const requests = withRequests(operation, calls, records.slice(0, limit));
  const refusal = watch.refusal();
  const rows = { plan, seen: revisions, refusedFiles, after };
  return { refusal, dispositions, hiddenRows, issues, ...without.counted(), records: requests, rows };
}

/** The records of a row that would be delivered. @param judgements one for each record. */
export function toDeliver(
  line: number,
  target: RecordTarget,
  prepared: readonly PreparedRecord[],
  judgements: readonly Judgement[],
): readonly CheckedRecord[] {
  return prepared.flatMap((record, index) => {
    if (judgements[index]?.disposition === 'duplicate') return [];
    return [{ line, key: keyText(target, record.keys), record: recordOf(target.operation, record) }];
  });
}

function omittedCounter(limit: number) {
  const columns = new Map<string, { code: IssueCode; column: string; count: number }>();
  const shown: (Issue & { line: number })[] = [];
  return {
    add: (line: number, issues: readonly Issue[]): void => {
      for (const issue of issues) {
        const { code, column } = issue;
        const total = columns.get(`${code} ${column}`) ?? { code, column: column ?? '', count: 0 };
        columns.set(`${code} ${column}`, { ...total, count: total.count + 1 });
        if (shown.length < limit) shown.push({ line, ...issue });
      }
    },
    counted: () => ({ omitted: [...columns.values()], omittedIssues: shown }),
  };
}

/** Adds to each record the request that would deliver it if nothing else were waiting. */
export function withRequests(
  operation: Operation,
  calls: PlatformCalls,
  records: readonly CheckedRecord[],
): CheckedDrop['records'] {
  const { mostPerRequest: most = 1 } = operation;
  const call = callOf(operation.name);
  const requests = new Map<CheckedRecord, PlatformRequest>();
  for (const group of grouped(records, ({ record }) => contentOf(operation, record).id).values()) {
    for (let from = 0; from < group.length; from += most) {
      const together = group.slice(from, from + most);
      const [first, ...others] = together.map(({ record }) => record);
      if (first === undefined) continue;
      const request = call.request([first, ...others], calls);
      for (const one of together) requests.set(one, request);
    }
  }
  return records.flatMap((one) => {
    const request = requests.get(one);
    return request === undefined ? [] : [{ line: one.line, key: one.key, request }];
  });
}

async function* stepsOf(
  opened: ReadableDrop,
  plan: DropPlan,
  { ledger, source, clock }: CheckContext,
): AsyncGenerator<PreparedStep> {
  const facts = ledger ? await knownLearners(ledger) : NO_LEDGER;
  yield* prepareRows(opened, { ...facts, source, clock }, plan, 0);
}
