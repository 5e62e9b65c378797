import { resolve } from 'node:path';
import { copyLedgerTo, type LedgerCopy } from '../actions/upkeep/copy-ledger.js';
import { ledgerPlace } from '../config/values/ledger-place.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { Answer, Call } from './command.js';
import { GUARD_COPY, totalsDocument, totalsText, UNBALANCED_COPY } from './copy-words.js';
import type { keep } from './facts.js';

export async function answer({ options, io, locate }: Call<typeof keep.ledger>): Promise<Answer> {
  const place = ledgerPlace(options.to, io.env, '--to');
  const { totals, ...copied } = await copyLedgerTo(
    locate(),
    'file' in place ? { file: resolve(io.cwd, place.file) } : place,
  );
  return {
    document: () => ({ ...copied, ...totalsDocument(totals) }),
    text: () => textOf({ ...copied, totals }),
    ...(copied.balanced ? {} : { exit: 'unbalanced' as const }),
  };
}

function textOf({ from, to, at, tables, balanced, doubted, working, totals }: LedgerCopy): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const lines = [
    `${countOf(rows, 'row')} of ${countOf(tables.length, 'table')} copied from ${from} to ${to}. Every table has the same rows in both.`,
    `The copy holds ${totalsText(totals)}, as of ${at}. It has no later changes.`,
  ];
  if (working.length > 0) {
    lines.push(
      `${agreeing(working.length, 'Process', 'Processes')} ${working.join(', ')} ${agreeing(working.length, 'works', 'work')} on the ledger. To switch to the copy, stop every service and run, and copy again.`,
    );
  }
  if (doubted > 0) {
    lines.push(
      `${countOf(doubted, 'request')} ${agreeing(doubted, 'was', 'were')} under way: their rows are in doubt in the copy.`,
    );
  }
  if (!balanced) lines.push(UNBALANCED_COPY);
  lines.push(GUARD_COPY, '');
  return lines.join('\n');
}
