import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Backup, backupLedger } from '../actions/backup.js';
import { systemClock } from '../domain/clock.js';
import { countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { closeLedger } from '../ledger/open.js';
import { openExpectedToRead } from '../upkeep/expected-ledger.js';
import { findWorkspace } from '../workspace/find-workspace.js';
import { workspacePaths } from '../workspace/folders.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print } from './io.js';

interface BackupOptions extends CommonOptions {
  readonly force?: boolean;
}

/** `registrar backup`: a verified copy of the ledger, while runs go on. Works with any registrar.yaml, also a wrong one. */
export function addBackup(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('backup <file>')
    .description('copy the ledger while runs go on, and verify the copy')
    .option('--force', 'replace FILE')
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BackupOptions>();
      const paths = workspacePaths(findWorkspace(options.workspace, io.env, io.cwd));
      const ledger = openExpectedToRead(paths, systemClock());
      if (ledger === null) throw noLedger(paths.ledger);
      try {
        const backup = await backupLedger(ledger, resolve(io.cwd, file), options.force === true);
        if (!backup.balanced) finish('unbalanced');
        if (backup.damaged > 0) finish('io');
        print(
          io,
          options,
          () => documentOf(backup),
          () => textOf(backup),
        );
      } finally {
        closeLedger(ledger);
      }
    });
}

function documentOf({ path, bytes, sha256, balanced, damaged, totals }: Backup) {
  const { drops, rows, submissions, accepted, attempts, newestRunAt, newestAttemptAt } = totals;
  return {
    file: path,
    bytes,
    sha256,
    balanced,
    damaged,
    drops,
    rows,
    submissions,
    accepted,
    attempts,
    newestRunAt,
    newestAttemptAt,
  };
}

function textOf({ path, bytes, sha256, balanced, damaged, totals }: Backup): string {
  const lines = [
    `${path}: ${bytes} bytes, verified.`,
    `It holds ${countOf(totals.rows, 'row')} of ${countOf(totals.drops, 'file')}, ${countOf(totals.submissions, 'submission')} and ${countOf(totals.attempts, 'request')}; the last run began ${totals.newestRunAt ?? 'never'}.`,
    `SHA-256 ${sha256}`,
    'It holds personal data and the salt of all keys: guard it like the ledger.',
  ];
  if (!balanced)
    lines.push("The books of the ledger don't balance, nor do the copy's: see registrar report.");
  if (damaged > 0)
    lines.push(
      `What the ledger keeps of ${countOf(damaged, 'row')} is damaged, and so it is in the copy: see registrar doctor --deep.`,
    );
  return `${lines.join('\n')}\n`;
}

function noLedger(path: string): OperatorError {
  return new OperatorError({
    operation: 'back up the ledger',
    subject: path,
    message: `there is no ledger at ${path} yet`,
    hint: 'The first registrar run makes it.',
  });
}
