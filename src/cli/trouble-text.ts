import type { OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/text/visible-text.js';

/** A trouble beside what a command was asked for, as a line of its own: what it is, and what to do. */
export function troubleText({ message, hint }: Pick<OperatorError, 'message' | 'hint'>): string {
  return `${visibleText(message)}. ${visibleText(hint)}\n`;
}
