import type { CorrectedSheet } from '../documents/correction.js';
import type { ReportedCorrection } from '../documents/report.js';
import { ROW_OUTCOMES, type RowOutcome } from '../domain/delivery/correction.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { counted } from './text/counted.js';
import { terms } from './words/terms.js';

/** What the rows of a correction came to: `12 to deliver, 1 still invalid`. */
export function outcomeText(rows: Readonly<Record<RowOutcome, number>>): string {
  const counts = ROW_OUTCOMES.filter((name) => rows[name] > 0);
  return counts.length === 0
    ? 'no row changed'
    : counts.map((name) => `${rows[name]} ${terms().corrected[name]}`).join(', ');
}

export function correctedText({ effects, requests }: CorrectedSheet): string {
  const { unchanged } = effects;
  const corrected = effects.rerun + effects.replaced + effects.resolved;
  const remainder = `${counted(unchanged, 'row')} ${agreeing(unchanged, 'stays', 'stay')} as is; to send a refused row again unchanged, rerun it. `;
  return `${counted(corrected, 'row')} ${agreeing(corrected, 'is', 'are')} corrected. ${unchanged === 0 ? '' : remainder}${counted(requests, 'request')} in all.`;
}

/** What the rows of a returned file came to, and how much of it was left. */
export function correctionText({ rows, issues }: ReportedCorrection): string {
  const unapplied = issues === 0 ? '' : `, ${countOf(issues, 'problem')} of it left unchanged`;
  return `${outcomeText(rows)}${unapplied}.`;
}
