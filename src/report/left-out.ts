import type { ReportedLeftOut } from '../documents/report.js';
import { ISSUE_CODES } from '../domain/issue.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { LeftOutCount } from '../ledger/books/rows/left-out.js';

/** The columns that drops' rows go without, most rows first. */
export function reportedLeftOut({
  leftOut,
}: {
  readonly leftOut: readonly LeftOutCount[];
}): readonly ReportedLeftOut[] {
  const byColumn = new Map<string, LeftOutCount[]>();
  for (const counted of leftOut) {
    const name = JSON.stringify([counted.code, counted.column]);
    byColumn.set(name, [...(byColumn.get(name) ?? []), counted]);
  }
  return [...byColumn.values()]
    .flatMap((counts) => {
      const [first] = counts;
      if (first === undefined) return [];
      const { code, column, file, line } = first;
      return [
        {
          code,
          reason: ISSUE_CODES[code],
          column,
          count: counts.reduce((sum, { count }) => sum + count, 0),
          example: `${file}:${line}`,
          drops: counts.map(({ dropId, file: name, count }) => ({ drop: dropId, file: name, count })),
        },
      ];
    })
    .sort((one, other) => other.count - one.count);
}

/** Which rows went without which column: a sentence without its full stop. */
export function leftOutWords({
  column,
  count,
  code,
}: Pick<ReportedLeftOut, 'column' | 'count' | 'code'>): string {
  return `${countOf(count, 'row')} ${agreeing(count, 'goes', 'go')} without what "${column}" holds, because it can't be read (${code})`;
}
