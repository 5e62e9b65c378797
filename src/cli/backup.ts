import { resolve } from 'node:path';
import { type Backup, backup } from '../actions/upkeep/backup.js';
import { worstExit } from '../domain/operator-error.js';
import { countOf } from '../domain/text/count-of.js';
import type { Answer, Call } from './command.js';
import type { BackupOptions } from './facts/backup.js';

/** Carries `registrar backup` out. */
export async function answer({
  inputs: [file = ''],
  options,
  io,
  locate,
}: Call<BackupOptions>): Promise<Answer> {
  const path = resolve(io.cwd, file);
  const copy = await backup(locate(), { path, force: options.force === true });
  return {
    document: () => documentOf(copy),
    text: () => textOf(copy),
    exit: worstExit([copy.balanced ? 'done' : 'unbalanced', copy.damaged > 0 ? 'io' : 'done']),
  };
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
