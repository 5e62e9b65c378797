import type { PresentState } from '../ledger/books/state/read-state.js';
import { causeAdvice, causeGroups } from './words/cause-advice.js';
import { causeWords } from './words/causes.js';

const MAX_FILES = 20;

/** What needs attention, in words, with its owner and remedy; causes of one meaning are together. */
export function openCauses({ causes, refusedFiles }: Pick<PresentState, 'causes' | 'refusedFiles'>) {
  const reported = causes.map((cause) => ({ ...cause, ...causeWords(cause) }));
  const groups = causeGroups(reported).map(({ drops, ...cause }) => ({
    ...cause,
    ...causeAdvice({ ...cause, drops }, {}),
    files: drops.length,
    drops: drops.toSorted((a, b) => b.count - a.count).slice(0, MAX_FILES),
  }));
  return {
    causes: groups,
    submissions: causes.reduce((sum, { state, count }) => (state === 'invalid' ? sum : sum + count), 0),
    refusedFiles: refusedFiles.map((file) => ({
      ...file,
      remedy: { action: 'dismiss', drop: file.drop } as const,
    })),
  };
}
