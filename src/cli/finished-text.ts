import type { Finished } from '../actions/decision/finish.js';
import { visibleText } from '../domain/text/visible-text.js';
import { troubleText } from './trouble-text.js';

/** Says that an interrupted decision was carried out, and what a person must still do about it. */
export function finishedText({ decisionId, kind, who, trouble }: Finished): string {
  if (trouble !== null) return troubleText(trouble);
  const said = `Decision ${decisionId}, ${kind} of ${who}, had been broken off, and is carried out now.`;
  return `${visibleText(said)}\n`;
}
