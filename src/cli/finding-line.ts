import type { Finding } from '../actions/doctor/finding.js';
import { withHint } from '../domain/operator-error.js';
import { visibleStrings } from '../domain/text/visible-text.js';

export function findingLine(finding: Finding): string {
  const { verdict, check, subject, message, remedy } = visibleStrings(finding);
  const lead = `${verdict.padEnd('attention'.length)}  ${check.padEnd('configuration'.length)}`;
  return `${lead}  ${subject}: ${withHint(message, remedy)}\n`;
}
