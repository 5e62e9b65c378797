import { relative, resolve } from 'node:path';
import { requiredReason } from '../actions/decision/verb.js';
import { finish, prepareSetBack, type Restored, restore } from '../actions/upkeep/restore.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { visibleText } from '../domain/text/visible-text.js';
import type { Call } from './command.js';
import type { keep } from './facts.js';
import { usageError } from './usage-error.js';

export async function answer({ inputs: [backup], options, io, who, locate }: Call<typeof keep.restore>) {
  const at = locate();
  const { setBack = false, finish: isEnd = false } = options;
  if ((backup === undefined) !== (setBack || isEnd)) {
    throw usageError(
      'restore',
      'restore needs a backup, --set-back or --finish',
      'Name a backup: registrar restore FILE --because TEXT.',
    );
  }
  const because = requiredReason('restore', options.because);
  if (isEnd) {
    const finished = await finish(at, who, because);
    const text =
      finished === 0
        ? 'No restore is open.\n'
        : 'Finished: new rows are sent from now on. Held rows stay held.\n';
    return { document: () => ({ finished }), text: () => text };
  }
  const restored =
    backup === undefined
      ? await prepareSetBack(at, who, because)
      : await restore(at, resolve(io.cwd, backup), who, because);
  const shownPath = (path: string) => relative(at.paths.root, path);
  const { totals, aside, unknownFiles, decisionId, doubted, held, forgotten } = restored;
  const needsAttention = held + doubted + unknownFiles.length > 0;
  return {
    document: () => ({
      decision: decisionId,
      newestRunAt: totals.newestRunAt,
      newestAttemptAt: totals.newestAttemptAt,
      rows: totals.rows,
      submissions: totals.submissions,
      aside: aside === null ? null : shownPath(aside),
      doubted,
      held,
      forgotten: forgotten.length,
      forgetRequests: forgotten,
      unknownFiles: unknownFiles.map(shownPath),
    }),
    text: () => textOf(restored, shownPath),
    ...(needsAttention ? { exit: 'attention' as const } : {}),
  };
}

function textOf(restored: Restored, shownPath: (path: string) => string): string {
  const { totals, aside, unknownFiles, doubted, held, forgotten } = restored;
  const lines = [
    `Restored: ${countOf(totals.submissions, 'submission')}. The last run that this ledger knows began ${totals.newestRunAt ?? 'never'}, its last request ${totals.newestAttemptAt ?? 'never'}; anything later, including decisions, is missing.`,
    ...(aside === null ? [] : [`The previous ledger is now ${shownPath(aside)}.`]),
    `${countOf(held, 'row')} ${agreeing(held, 'is', 'are')} held (restored), ${doubted} ${agreeing(doubted, 'is', 'are')} in doubt: they may have been delivered. See registrar status.`,
    forgotten.length === 0
      ? 'Learners forgotten since the backup must be forgotten again.'
      : `${countOf(forgotten.length, 'person was', 'people were')} forgotten since, and the backup still has them. Forget them again, by these requests:`,
    ...forgotten.map(({ madeAt, who, because }) => `  ${madeAt}, ${who}: ${because ?? 'no reason was kept'}`),
    'Rows that are new and were completed before now are held too, until registrar restore --finish --because TEXT.',
    ...(unknownFiles.length > 0
      ? ['Files imported since; drop them into their inbox again, and their rows are held:']
      : []),
    ...unknownFiles.map((path) => `  ${visibleText(shownPath(path))}`),
    '',
  ];
  return lines.join('\n');
}
