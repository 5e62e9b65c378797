import { resolve } from 'node:path';
import { backup } from '../actions/upkeep/backup.js';
import { verifyBackup } from '../actions/upkeep/backup-copy.js';
import { worstExit } from '../domain/operator-error.js';
import { countOf } from '../domain/text/count-of.js';
import type { Call } from './command.js';
import { GUARD_COPY, totalsDocument, totalsText, UNBALANCED_COPY } from './copy-words.js';
import type { keep } from './facts.js';

export async function answer({ inputs: [file = ''], options, io, locate }: Call<typeof keep.backup>) {
  const path = resolve(io.cwd, file);
  const copy = options.verify
    ? { balanced: true, ...(await verifyBackup(locate(), path)) }
    : { testedAt: null, ...(await backup(locate(), path, options.force === true)) };
  const { bytes, sha256, testedAt, balanced, damaged, totals } = copy;
  const isSound = damaged > 0 ? 'its books balance' : 'it is sound, and its books balance';
  const lines = [
    testedAt === null
      ? `${path}: ${bytes} bytes, verified.`
      : `${path}: ${bytes} bytes, restored as a test at ${testedAt}: ${isSound}. The restored copy was deleted.`,
    `It holds ${totalsText(totals)}; the last run began ${totals.newestRunAt ?? 'never'}.`,
    `SHA-256 ${sha256}`,
    GUARD_COPY,
    ...(balanced ? [] : [UNBALANCED_COPY]),
    ...(damaged > 0
      ? [`What it keeps of ${countOf(damaged, 'row')} is damaged: see registrar doctor --deep.`]
      : []),
    '',
  ];
  return {
    document: () => ({
      file: path,
      bytes,
      sha256,
      ...(testedAt === null ? { balanced } : { testedAt }),
      damaged,
      ...totalsDocument(totals),
    }),
    text: () => lines.join('\n'),
    exit: worstExit([balanced ? 'done' : 'unbalanced', damaged > 0 ? 'io' : 'done']),
  };
}
