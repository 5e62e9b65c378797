import type { PresentState } from '../ledger/books/state/read-state.js';
import { causeAdvice, causeGroups } from './words/cause-advice.js';
import { causeWords } from './words/causes.js';

/** The most files that are named under one cause, those with the most rows. */
const MAX_FILES = 20;

/**
 * What needs attention, in words, with its owner and remedy. Causes of one meaning are together, each in one state or
 * several.
 */
export function openCauses({ causes, refusedFiles }: Pick<PresentState, 'causes' | 'refusedFiles'>) {
  const reported = causes.map((cause) => ({ ...cause, ...causeWords(cause) }));
  const groups = causeGroups(reported).map(({ drops, ...cause }) => ({
    ...cause,
    ...causeAdvice({ ...cause, drops }, {}),
    files: drops.length,
    drops: drops.toSorted((a, b) => b.count - a.count).slice(0, MAX_FILES),
  }));
  return {
    /** Most rows first. Their counts add up to the rows. */
    causes: groups,
    /** Rows of submissions that need attention. */
    submissions: causes.reduce((sum, { state, count }) => (state === 'invalid' ? sum : sum + count), 0),
    /** Refused files, the latest first. */
    refusedFiles: refusedFiles.map((file) => ({
      ...file,
      remedy: { action: 'dismiss', drop: file.drop } as const,
    })),
  };
}
