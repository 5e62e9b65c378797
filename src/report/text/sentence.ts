import { capitalized } from '../../domain/text/count-of.js';

/** The text as a sentence, with a capital and a full stop. The name of a file or a setting is written as it is. */
export function sentence(text: string): string {
  const opening = /^\S*[a-z]\.[a-z]/.test(text) ? text : capitalized(text);
  return /[.!?…]$/.test(opening) ? opening : `${opening}.`;
}
