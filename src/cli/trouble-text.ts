import type { OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/text/visible-text.js';

/** A trouble that a command has met beside its work, as a line: what it is, and what to do. */
export function troubleText({ message, hint }: Pick<OperatorError, 'message' | 'hint'>): string {
  return `${visibleText(message)}. ${visibleText(hint)}\n`;
}
