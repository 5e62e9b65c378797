import { capitalized } from '../../domain/text/count-of.js';

/** The text as a sentence, with a capital and a full stop. The name of a file or a setting is written as is. Lines are a sentence each. */
export function sentence(text: string): string {
  if (text.includes('\n')) return text.split('\n').map(sentence).join(' ');
  const opening = /^\S*[a-z]\.[a-z]/.test(text) ? text : capitalized(text);
  return /[.!?…]$/.test(opening) ? opening : `${opening}.`;
}
