import type { ReportedOmission } from '../documents/report.js';
import { ISSUE_CODES } from '../domain/issue.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { OmittedCount } from '../ledger/books/rows/attention.js';

/** The columns that drops' rows go without, most rows first. */
export function reportedOmissions(counts: readonly OmittedCount[]): readonly ReportedOmission[] {
  const byColumn = new Map<string, ReportedOmission>();
  for (const { code, column, file, line, dropId: drop, count } of counts) {
    const name = JSON.stringify([code, column]);
    const sum = byColumn.get(name) ?? {
      ...{ code, column, reason: ISSUE_CODES[code], example: `${file}:${line}` },
      ...{ count: 0, drops: [] },
    };
    byColumn.set(name, {
      ...sum,
      count: sum.count + count,
      drops: [...sum.drops, { drop, file, count }],
    });
  }
  return [...byColumn.values()].sort((a, b) => b.count - a.count);
}

/** Which rows went without which column: a sentence without its full stop. */
export function omittedWords({
  column,
  count,
  code,
}: Pick<ReportedOmission, 'column' | 'count' | 'code'>): string {
  return `${countOf(count, 'row')} ${agreeing(count, 'goes', 'go')} without what "${column}" holds, because it can't be read (${code})`;
}
