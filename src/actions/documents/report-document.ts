import { renderJson } from '../../report/render-json.js';
import { maskRefusal } from '../../report/words/mask.js';
import type { Reported } from '../report.js';

/** A report as `report --json` prints it. */
export function reportDocument({ report, kept }: Reported) {
  return { ...renderJson(report), reportFolder: kept?.folder ?? null };
}

/** The same for who may see no personal data: texts of rows, and what people have written, are masked or left out. */
export function maskedReportDocument({ report, kept }: Reported) {
  const shown = report.altered.shown.map((text) => ({ ...text, sent: null, returned: null }));
  const files = report.files.map((file) => ({
    ...file,
    refusal: file.refusal === null ? null : maskRefusal(file.refusal),
    closure: file.closure === null ? null : withoutReason(file.closure),
  }));
  return reportDocument({ report: { ...report, altered: { ...report.altered, shown }, files }, kept });
}

type Closure = NonNullable<Reported['report']['files'][number]['closure']>;

function withoutReason(closure: Closure): Closure {
  return closure.kind === 'dismissed' ? { ...closure, because: null } : closure;
}
