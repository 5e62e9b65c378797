import { capitalized } from '../../domain/text/count-of.js';
/** The text as a sentence, with a capital and a full stop. */
export function sentence(text: string): string {
  const begun = capitalized(text);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
