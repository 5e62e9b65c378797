import type { Command } from 'commander';
import { agreeing, countOf } from '../domain/count-of.js';
import { issueText } from '../domain/issue.js';
import { OperatorError } from '../domain/operator-error.js';
import { thisProcess } from '../ledger/owner.js';
import { publishedDrops } from '../ledger/restaging.js';
import { beginRun, endRun } from '../ledger/runs.js';
import { textTable } from '../report/text-table.js';
import { type Restaged, restageDrop } from '../staging/restage-drop.js';
import { VERSION } from '../version.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
import { sourceNamed, withSession } from './session.js';
import { whoDecides } from './who-decides.js';

/** `registrar restage`: a drop's invalid rows once more, after its source was corrected. */
export function addRestage(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('restage <drop>')
    .description(
      "normalise a drop's invalid rows again, after its source was corrected; by file name or number",
    )
    .action(async (asked: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      await withSession(io, options, async ({ ledger, config, paths }) => {
        const drops = publishedDrops(ledger, asked);
        const [drop] = drops;
        if (!drop) throw noSuchDrop(asked);
        if (drops.length > 1)
          throw severalDrops(
            asked,
            drops.map(({ dropId }) => dropId),
          );
        const source = sourceNamed(config, drop.source);
        const runId = beginRun(ledger, 'manual', thisProcess(), VERSION);
        let restaged: Restaged;
        try {
          restaged = await restageDrop(ledger, drop, source, whoDecides(io), runId, paths);
        } catch (error) {
          endRun(ledger, runId, 'error');
          throw error;
        }
        const isDone = restaged.still + restaged.beyond === 0;
        endRun(ledger, runId, isDone ? 'done' : 'attention');
        print(
          io,
          options,
          () => ({ drop: drop.dropId, file: drop.file, ...restaged }),
          () => text(restaged, widthOf(io)),
        );
        if (!isDone) finish('attention');
      });
    });
}

function text(restaged: Restaged, columns: number | null): string {
  const { open, made, repeated, still, mended, beyond, issues } = restaged;
  if (open + mended + beyond === 0) return 'No row of this drop is invalid any more.\n';
  const lines = [...damageText(restaged)];
  if (open === 0) return `${lines.join('\n')}\n`;
  lines.push(
    `${countOf(open, 'invalid row')}: ${made} ${agreeing(made, 'waits', 'wait')} now, ${repeated} ${agreeing(repeated, 'repeats', 'repeat')} what is known, ${still} ${agreeing(still, 'is', 'are')} still invalid.`,
  );
  if (issues.length > 0) {
    const rows = issues.map((issue) => [issue.line, issue.code, issueText(issue)]);
    lines.push('', textTable(['LINE', 'CODE', 'WHAT AND WHAT TO DO'], rows, columns));
  }
  if (made > 0) lines.push('', `The next registrar run delivers ${agreeing(made, 'it', 'them')}.`);
  return `${lines.join('\n')}\n`;
}

function damageText({ mended, beyond }: Restaged): string[] {
  const lines: string[] = [];
  if (mended > 0) {
    lines.push(
      `${countOf(mended, 'damaged row')} ${agreeing(mended, 'is', 'are')} again what was staged; what was held for it waits.`,
    );
  }
  if (beyond > 0) {
    lines.push(
      `${countOf(beyond, 'damaged row')} can't be put back, because the row is read otherwise by now, or more of it is damaged: restore a backup (registrar restore FILE --because TEXT), or dismiss ${agreeing(beyond, 'it', 'them')} and drop the file's ${agreeing(beyond, 'row', 'rows')} again.`,
    );
  }
  return lines;
}

function noSuchDrop(asked: string): OperatorError {
  return new OperatorError({
    operation: 'restage a drop',
    subject: asked,
    message: `no drop was taken in with the name or number "${asked}"`,
    hint: 'See registrar report for the drops. A file that was set aside as a whole is dropped again instead.',
  });
}

function severalDrops(asked: string, numbers: readonly number[]): OperatorError {
  return new OperatorError({
    operation: 'restage a drop',
    subject: asked,
    message: `${numbers.length} drops are called ${asked}`,
    hint: `Take one by its number: ${numbers.join(', ')}.`,
  });
}
