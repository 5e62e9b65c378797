import { relative, resolve } from 'node:path';
import { finish, holdSetBack, type Restored, restore } from '../actions/upkeep/restore.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { visibleText } from '../domain/text/visible-text.js';
import type { Answer, Call } from './command.js';
import type { keep } from './facts/keep.js';
import { usageError } from './usage-error.js';

export async function answer({
  inputs: [backup],
  options,
  io,
  who,
  locate,
}: Call<typeof keep.restore>): Promise<Answer> {
  const at = locate();
  const { setBack = false, finish: isEnd = false } = options;
  const isWithoutFile = setBack || isEnd;
  if ((backup === undefined) !== isWithoutFile || (setBack && isEnd)) {
    throw usageError(
      'restore',
      'restore takes a backup, --set-back or --finish',
      'Name a backup: registrar restore FILE --because TEXT.',
    );
  }
  const { because = '' } = options;
  if (because.trim() === '')
    throw usageError(
      '--because',
      'restore needs a reason, which is kept with the decision',
      'Add --because "…".',
    );
  if (isEnd) return finishedAnswer(await finish(at, who, because));
  const restored =
    backup === undefined
      ? await holdSetBack(at, who, because)
      : await restore(at, resolve(io.cwd, backup), who, because);
  return restoredAnswer(restored, (path) => relative(at.paths.root, path));
}

function restoredAnswer(restored: Restored, fromRoot: (path: string) => string): Answer {
  const needsSomebody = restored.held + restored.doubted + restored.unknownFiles.length > 0;
  return {
    document: () => documentOf(restored, fromRoot),
    text: () => textOf(restored, fromRoot),
    ...(needsSomebody ? { exit: 'attention' as const } : {}),
  };
}

function finishedAnswer(finished: number): Answer {
  return {
    document: () => ({ finished }),
    text: () =>
      finished === 0
        ? 'No restore is open.\n'
        : 'Finished: new rows are sent from now on. Held rows stay held.\n',
  };
}

function documentOf(restored: Restored, shownPath: (path: string) => string) {
  const { totals, aside, unknownFiles, decisionId, doubted, held, forgotten } = restored;
  return {
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
  };
}

function textOf(restored: Restored, shownPath: (path: string) => string): string {
  const { totals, aside, unknownFiles, doubted, held, forgotten } = restored;
  const lines = [
    `Restored: ${countOf(totals.submissions, 'submission')}. The last run that this ledger knows began ${totals.newestRunAt ?? 'never'}, its last request ${totals.newestAttemptAt ?? 'never'}; anything later, including decisions, is missing.`,
  ];
  if (aside !== null) lines.push(`The ledger that was there is ${shownPath(aside)}.`);
  lines.push(
    `${countOf(held, 'row')} ${agreeing(held, 'is', 'are')} held (restored), ${doubted} ${agreeing(doubted, 'is', 'are')} in doubt: they may have been delivered. See registrar status.`,
  );
  if (forgotten.length > 0) {
    const people = forgotten.length === 1 ? '1 person was' : `${forgotten.length} people were`;
    lines.push(
      `${people} forgotten since, and the backup still has them. Forget them again, by these requests:`,
      ...forgotten.map(
        ({ madeAt, who, because }) => `  ${madeAt}, ${who}: ${because ?? 'no reason was kept'}`,
      ),
    );
  } else {
    lines.push('Learners forgotten since the backup must be forgotten again.');
  }
  lines.push(
    'Rows that are new and were completed before now are held too, until registrar restore --finish --because TEXT.',
  );
  if (unknownFiles.length > 0) {
    lines.push(
      'Files imported since; drop them into their inbox again, and their rows are held:',
      ...unknownFiles.map((path) => `  ${visibleText(shownPath(path))}`),
    );
  }
  return `${lines.join('\n')}\n`;
}
