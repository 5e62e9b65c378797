import { relative, resolve } from 'node:path';
import { requiredReason } from '../actions/decision/verb.js';
import {
  carryOut,
  finish,
  holdSetBack,
  plan,
  type Restored,
  type RestorePlan,
} from '../actions/upkeep/restore.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { visibleText } from '../domain/text/visible-text.js';
import type { Answer, Call } from './command.js';
import type { keep } from './facts/keep.js';
import { wrongUse } from './wrong-use.js';

/** Carries `registrar restore` out. */
export async function answer({
  inputs: [named],
  options,
  io,
  who,
  locate,
}: Call<typeof keep.restore>): Promise<Answer> {
  const at = locate();
  const { setBack = false, finish: isEnd = false } = options;
  const isWithoutFile = setBack || isEnd;
  if ((named === undefined) !== isWithoutFile || (setBack && isEnd) || (isWithoutFile && options.dryRun)) {
    throw wrongUse(
      'restore',
      'restore takes a backup, --set-back or --finish',
      'Name a backup: registrar restore FILE --because TEXT.',
    );
  }
  const { because } = options;
  if (!options.dryRun) requiredReason('restore', because);
  if (isEnd) return finishedAnswer(await finish(at, who, because ?? ''));
  const fromRoot = (path: string) => relative(at.paths.root, path);
  if (named === undefined) return restoredAnswer(await holdSetBack(at, who, because ?? ''), fromRoot);
  const planned = await plan(at, { file: resolve(io.cwd, named) });
  if (options.dryRun) return planAnswer(planned, fromRoot);
  return restoredAnswer(await carryOut(at, planned, who, because ?? ''), fromRoot);
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
        : 'Finished: rows that are new from now on are sent. Those that are held stay held.\n',
  };
}

function planAnswer({ file, sha256, totals, present }: RestorePlan, named: (path: string) => string): Answer {
  const reach = ({ newestRunAt, newestAttemptAt }: RestorePlan['totals']) =>
    `its last run began ${newestRunAt ?? 'never'}, its last request ${newestAttemptAt ?? 'never'}`;
  return {
    document: () => ({
      dryRun: true,
      file,
      sha256,
      rows: totals.rows,
      submissions: totals.submissions,
      newestRunAt: totals.newestRunAt,
      newestAttemptAt: totals.newestAttemptAt,
      present: present && {
        ledger: named(present.path),
        isReadable: present.totals !== null,
        submissions: present.totals?.submissions ?? null,
        newestRunAt: present.totals?.newestRunAt ?? null,
        newestAttemptAt: present.totals?.newestAttemptAt ?? null,
      },
    }),
    text: () =>
      [
        `${file} is sound: ${countOf(totals.submissions, 'submission')}; ${reach(totals)}.`,
        present === null
          ? 'There is no ledger to replace, so there is no record of what was delivered after this backup.'
          : present.totals === null
            ? `The present ledger would be set aside. It can't be read, so there is no record of what was delivered after this backup.`
            : `The present ledger would be set aside: ${countOf(present.totals.submissions, 'submission')}; ${reach(present.totals)}.`,
        'Nothing was changed.',
        '',
      ].join('\n'),
  };
}

function documentOf(restored: Restored, named: (path: string) => string) {
  const { totals, aside, unknownFiles, compared, decisionId, accepted, doubted, held, lost, forgotten } =
    restored;
  return {
    decision: decisionId,
    newestRunAt: totals.newestRunAt,
    newestAttemptAt: totals.newestAttemptAt,
    rows: totals.rows,
    submissions: totals.submissions,
    aside: aside === null ? null : named(aside),
    compared,
    accepted,
    doubted,
    held,
    lost,
    forgotten: forgotten.length,
    forgetRequests: forgotten,
    holdsNewRows: lost !== 0,
    unknownFiles: unknownFiles.map(named),
  };
}

function textOf(restored: Restored, named: (path: string) => string): string {
  const { totals, aside, unknownFiles, compared, accepted, doubted, held, lost, forgotten } = restored;
  const lines = [
    `Restored: ${countOf(totals.submissions, 'submission')}. The last run that this ledger knows began ${totals.newestRunAt ?? 'never'}, its last request ${totals.newestAttemptAt ?? 'never'}; anything later, including decisions, is missing.`,
  ];
  if (aside !== null) lines.push(`The ledger that was there is ${named(aside)}.`);
  lines.push(
    compared
      ? `It could be read: ${countOf(accepted, 'row')} that it had delivered ${agreeing(accepted, 'is', 'are')} accepted here too, and it had delivered ${lost} that this ledger has never heard of.`
      : 'There is no record of what was delivered after this backup.',
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
  }
  if (!compared) lines.push('Learners forgotten since the backup must be forgotten again.');
  if (lost !== 0) {
    lines.push(
      'Rows that are new and were completed before now are held too, until registrar restore --finish --because TEXT.',
    );
  }
  if (unknownFiles.length > 0) {
    lines.push(
      'Files that were taken in since; put them into their inbox again, and their rows are held:',
      ...unknownFiles.map((path) => `  ${visibleText(named(path))}`),
    );
  }
  return `${lines.join('\n')}\n`;
}
