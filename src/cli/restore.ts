import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Restored, restoreLedger } from '../actions/restore.js';
import { systemClock } from '../domain/clock.js';
import { agreeing, countOf } from '../domain/count-of.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/visible-text.js';
import { closeLedger } from '../ledger/open.js';
import { settleRestores } from '../ledger/restored.js';
import { openExpectedLedger } from '../upkeep/expected-ledger.js';
import { findWorkspace } from '../workspace/find-workspace.js';
import { type WorkspacePaths, workspacePaths } from '../workspace/folders.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print } from './io.js';
import { whoDecides } from './who-decides.js';

interface RestoreOptions extends CommonOptions {
  readonly because?: string;
  readonly settle?: boolean;
}

/** `registrar restore`: a backup in the ledger's place. Works with any registrar.yaml, also a wrong one. */
export function addRestore(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('restore [file]')
    .description('put a backup in the place of the ledger, and hold what may have been delivered since')
    .option('--because <text>', 'why, for the record; needed')
    .option('--settle', 'without FILE: what was lost has been gone through; hold no more new rows')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<RestoreOptions>();
      const paths = workspacePaths(findWorkspace(options.workspace, io.env, io.cwd));
      if ((file === undefined) !== (options.settle === true)) {
        throw refusal(
          'restore takes either a backup or --settle',
          'Name a backup: registrar restore FILE --because TEXT.',
        );
      }
      if (!options.because?.trim()) {
        throw refusal('restore needs a reason, which is kept', 'Add --because "…".');
      }
      const asked = { who: whoDecides(io), because: options.because };
      if (file === undefined) {
        settle(io, options, paths, asked);
        return;
      }
      const restored = await restoreLedger(paths, systemClock(), resolve(io.cwd, file), asked);
      if (restored.held + restored.doubted + restored.unknownFiles.length > 0) finish('attention');
      const named = (path: string) => relative(paths.root, path);
      print(
        io,
        options,
        () => documentOf(restored, named),
        () => textOf(restored, named),
      );
    });
}

function settle(
  io: Io,
  options: RestoreOptions,
  paths: WorkspacePaths,
  { who, because }: { readonly who: Decider; readonly because: string },
): void {
  const ledger = openExpectedLedger(paths, systemClock());
  try {
    const settled = settleRestores(ledger, who, because);
    print(
      io,
      options,
      () => ({ settled }),
      () =>
        settled === 0
          ? 'No restore is open.\n'
          : 'Settled: rows that are new from now on are sent. Those that are held stay held.\n',
    );
  } finally {
    closeLedger(ledger);
  }
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
    `Restored: ${countOf(totals.submissions, 'submission')}. The last run that this ledger knows began ${totals.newestRunAt ?? 'never'}, its last request ${totals.newestAttemptAt ?? 'never'}; it knows nothing of what came later, nor what was decided.`,
  ];
  if (aside !== null) lines.push(`The ledger that was there is ${named(aside)}.`);
  lines.push(
    compared
      ? `It could be read: ${countOf(accepted, 'row')} that it had delivered ${agreeing(accepted, 'is', 'are')} accepted here too, and it had delivered ${lost} that this ledger has never heard of.`
      : 'What was delivered since nobody can tell.',
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
  if (!compared) lines.push('Whoever was forgotten since the backup must be forgotten again.');
  if (lost !== 0) {
    lines.push(
      'Rows that are new and were completed before now are held too, until registrar restore --settle --because TEXT.',
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

function refusal(message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'restore the ledger', subject: 'restore', message, hint });
}
