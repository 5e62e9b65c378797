import type { ReportedCorrection } from '../documents/report.js';
import { ROW_OUTCOMES, type RowOutcome } from '../domain/delivery/correction.js';
import { countOf } from '../domain/text/count-of.js';
import { terms } from './words/terms.js';

/** What the rows of a correction came to: `12 to deliver, 1 still invalid`. */
export function outcomeText(rows: Readonly<Record<RowOutcome, number>>): string {
  const counts = ROW_OUTCOMES.filter((name) => rows[name] > 0);
  return counts.length === 0
    ? 'no row changed'
    : counts.map((name) => `${rows[name]} ${terms().corrected[name]}`).join(', ');
}

/** What the rows of a returned file came to, and how much of it was left. */
export function correctionText({ rows, issues }: ReportedCorrection): string {
  const left = issues === 0 ? '' : `, ${countOf(issues, 'problem')} of it left as it was`;
  return `${outcomeText(rows)}${left}.`;
}
