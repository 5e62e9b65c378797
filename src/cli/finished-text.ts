import type { Finished } from '../actions/decision/finish.js';
import { visibleText } from '../domain/text/visible-text.js';
import { troubleText } from './trouble-text.js';

/** Says that a decision was carried out which had been broken off, and what of it is left to a person. */
export function finishedText({ decisionId, kind, who, trouble }: Finished): string {
  if (trouble !== null) return troubleText(trouble);
  const said = `Decision ${decisionId}, ${kind} of ${who}, had been broken off, and is carried out now.`;
  return `${visibleText(said)}\n`;
}
