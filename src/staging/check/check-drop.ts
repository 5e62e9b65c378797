import type { PlatformCalls } from '../../config/platform-calls.js';
import type { SourceConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import { grouped } from '../../domain/grouped.js';
import type { Issue, IssueCode } from '../../domain/issue.js';
import type { NormalisedRecord } from '../../domain/record.js';
import { noDispositions } from '../../domain/row.js';
import type { ReadableDrop } from '../../intake/opened-drop.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import { pagesOf } from '../../ledger/store/pages.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { keyText, type PreparedRecord, type RecordTarget } from '../../operations/keys.js';
import { contentOf } from '../../operations/operation.js';
import { recordOf } from '../../operations/record-text.js';
import { callOf } from '../../platform/calls/call-of.js';
import type { PlatformRequest } from '../../platform/calls/platform-call.js';
import type { DropPlan } from '../../reading/plan-drop.js';
import { invalidWatch } from '../prepare/mostly-invalid.js';
import { NO_LEDGER, prepareRows } from '../prepare/prepare-rows.js';
import { stagingTarget } from '../stage-context.js';
import { type CheckedRows, rowJudge, sameKeysIn, seenKeys } from './judge-rows.js';

/**
 * What staging would make of a file. `refusal`: why it would be refused because of its rows; null: it would not. `hiddenRows`: data
 * rows that are hidden in the sheet. `issues`: the first `limit` issues of invalid and skipped rows. `omitted`: the columns that
 * records would be sent without; `omittedIssues` has the first `limit` issues of such rows.
 */
export type CheckedDrop = Omit<Awaited<ReturnType<typeof checkDrop>>, 'rows'>;

/** A record that would be delivered. */
export interface CheckedRecord {
  readonly line: number;
  readonly record: PreparedRecord;
}

interface CheckContext {
  readonly ledger: Ledger | null;
  readonly clock: Clock;
  readonly source: SourceConfig;
  readonly calls: PlatformCalls;
  readonly limit: number;
  /** The previous sheet of the same table; null: there is none. */
  readonly after: CheckedRows | null;
}

/**
 * Runs staging without writing: the same preparation and the same judgement, against the ledger and the earlier rows
 * of the file. `ledger` is null where there is none yet. Throws UndecidedRow where the plan is from the first rows
 * only and a row needs the profile of the whole file.
 */
export async function checkDrop(opened: ReadableDrop, plan: DropPlan, context: CheckContext) {
  const { ledger, source, clock } = context;
  const target = stagingTarget(source);
  const facts = ledger ? await knownLearners(ledger) : NO_LEDGER;
  const steps = (plan: DropPlan) => prepareRows(opened, { ...facts, source, clock }, plan, 0);
  const checked = await checkRows(plan, steps, target, context, new Map());
  // Which rows of a repeated key count is known only after the last row. A file with such rows is read a second time.
  if (checked.refusal !== null || checked.rows.seen.contradictory.size === 0) return checked;
  const excluded = await sameKeysIn(checked.rows, steps, ledger, target, source.sameKey);
  return excluded.size === 0 ? checked : checkRows(plan, steps, target, context, excluded);
}

async function checkRows(
  plan: DropPlan,
  steps: (plan: DropPlan) => ReturnType<typeof prepareRows>,
  target: RecordTarget,
  { ledger, source, calls, limit, after }: CheckContext,
  excluded: CheckedRows['excluded'],
) {
  const dispositions = noDispositions();
  const issues: (Issue & { readonly line: number })[] = [];
  const records: CheckedRecord[] = [];
  const without = omittedCounter(limit);
  const seen = seenKeys(after?.seen);
  const judge = rowJudge(ledger, target, false, seen);
  let hiddenRows = 0;
  const watch = invalidWatch(source);
  for await (const step of steps(plan)) {
    watch.add(step.judged);
    hiddenRows += step.hiddenRows ?? 0;
    for (const { row: read } of step.rows) {
      const verdict = excluded.get(read.line);
      const row: PreparedRow = verdict === undefined ? read : { line: read.line, ...verdict };
      const { line } = row;
      const judged = await judge(row);
      dispositions[judged.disposition] += (row.kind === 'blank' ? row.lines : undefined) ?? 1;
      for (const record of judged.records) if (records.length < limit) records.push({ line, record });
      if (row.kind === 'invalid' || row.kind === 'skipped') {
        for (const issue of row.issues) if (issues.length < limit) issues.push({ line, ...issue });
      } else if (row.kind === 'record' && row.omitted && judged.disposition !== 'duplicate')
        without.add(line, row.omitted);
    }
  }
  const rows: CheckedRows = { plan, seen, excluded, after };
  const counted = { refusal: watch.refusal(), dispositions, hiddenRows, issues, ...without.counted() };
  return { ...counted, records: withRequests(target, calls, records), rows };
}

function omittedCounter(limit: number) {
  const columns = new Map<string, { code: IssueCode; column: string; count: number }>();
  const shown: (Issue & { readonly line: number })[] = [];
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

/** The requests that would deliver records if nothing else were waiting; records that share a request have the same one. */
export function withRequests(target: RecordTarget, calls: PlatformCalls, checked: readonly CheckedRecord[]) {
  const { operation } = target;
  const { maxPerRequest = 1 } = operation;
  const call = callOf(operation.name);
  const records = checked.map(({ line, record }) => ({
    line,
    key: keyText(target, record.keys),
    record: recordOf(operation, record),
  }));
  const requests = new Map<(typeof records)[number], PlatformRequest>();
  for (const group of grouped(records, ({ record }) => contentOf(operation, record).id).values()) {
    for (const together of pagesOf(group, maxPerRequest)) {
      const [first, ...others] = together.map(({ record }) => record);
      const request = call.request([first as NormalisedRecord, ...others], calls);
      for (const one of together) requests.set(one, request);
    }
  }
  return records.map((one) => ({
    line: one.line,
    key: one.key,
    request: requests.get(one) as PlatformRequest,
  }));
}
