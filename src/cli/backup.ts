import { resolve } from 'node:path';
import { type Backup, backup } from '../actions/upkeep/backup.js';
import { type VerifiedBackup, verifyBackup } from '../actions/upkeep/verify-backup.js';
import { worstExit } from '../domain/operator-error.js';
import { countOf } from '../domain/text/count-of.js';
import type { Answer, Call } from './command.js';
import { GUARD_COPY, totalsDocument, totalsText, UNBALANCED_COPY } from './copy-words.js';
import type { keep } from './facts/keep.js';
import { usageError } from './usage-error.js';

/** Carries `registrar backup` out: a backup, or with `--verify` the test of one. */
export async function answer({
  inputs: [file = ''],
  options,
  io,
  locate,
}: Call<typeof keep.backup>): Promise<Answer> {
  const path = resolve(io.cwd, file);
  if (options.verify) {
    if (options.force)
      throw usageError(
        '--force',
        '--force replaces a backup and --verify makes none',
        'Leave one of them out.',
      );
    return testAnswer(await verifyBackup(locate(), path));
  }
  const copy = await backup(locate(), { path, force: options.force === true });
  return {
    document: () => documentOf(copy),
    text: () => textOf(copy),
    exit: worstExit([copy.balanced ? 'done' : 'unbalanced', copy.damaged > 0 ? 'io' : 'done']),
  };
}

function documentOf({ path, bytes, sha256, balanced, damaged, totals }: Backup) {
  return { file: path, bytes, sha256, balanced, damaged, ...totalsDocument(totals) };
}

function textOf({ path, bytes, sha256, balanced, damaged, totals }: Backup): string {
  const lines = [`${path}: ${bytes} bytes, verified.`, contentOf(totals), `SHA-256 ${sha256}`, GUARD_COPY];
  if (!balanced) lines.push(UNBALANCED_COPY);
  if (damaged > 0)
    lines.push(
      `What the ledger keeps of ${countOf(damaged, 'row')} is damaged, and so it is in the copy: see registrar doctor --deep.`,
    );
  return `${lines.join('\n')}\n`;
}

function testAnswer({ path, bytes, sha256, testedAt, damaged, totals }: VerifiedBackup): Answer {
  return {
    document: () => ({ file: path, bytes, sha256, testedAt, damaged, ...totalsDocument(totals) }),
    text: () =>
      [
        `${path}: ${bytes} bytes, restored for a test at ${testedAt}. ${damaged > 0 ? `What it keeps of ${countOf(damaged, 'row')} is damaged; else it is sound` : 'It is sound'}, and its books balance.`,
        contentOf(totals),
        `SHA-256 ${sha256}`,
        'The copy is gone again.',
        '',
      ].join('\n'),
    exit: damaged > 0 ? 'io' : 'done',
  };
}

function contentOf(totals: Backup['totals']): string {
  return `It holds ${totalsText(totals)}; the last run began ${totals.newestRunAt ?? 'never'}.`;
}
