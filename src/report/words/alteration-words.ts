import type { AlterationKind } from '../../domain/text/alteration.js';

/** How a text came back, for people. */
export const ALTERATION_WORDS: Readonly<Record<AlterationKind, string>> = {
  entity: 'characters as HTML entities',
  letters: 'letters beyond ASCII altered',
  other: 'otherwise',
};
