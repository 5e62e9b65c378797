import { relative } from 'node:path';
import type { Command } from 'commander';
import { type Purged, type PurgePlan, planPurge, purge } from '../actions/purge.js';
import { agreeing, countOf } from '../domain/count-of.js';
import { visibleText } from '../domain/visible-text.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print } from './io.js';
import { isoTime } from './iso-time.js';
import { withSession } from './session.js';
import { whoDecides } from './who-decides.js';

interface PurgeOptions extends CommonOptions {
  readonly before: string;
  readonly archive?: boolean;
  readonly because?: string;
  readonly dryRun?: boolean;
}

/** `registrar purge`: clears the content of old rows that nobody has to do with any more. */
export function addPurge(program: Command, io: Io, _interrupt: Interrupt, _finish: Finish): void {
  program
    .command('purge')
    .description('clear the content of old rows; counts, hashes and keys stay, so that nothing is sent again')
    .requiredOption('--before <time>', 'of files taken in before this day or time (UTC)', isoTime)
    .option('--archive', 'also delete the archived files of which no row is open')
    .option('--because <text>', 'why, for the record')
    .option('--dry-run', 'only say what would be cleared')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<PurgeOptions>();
      await withSession(io, options, async ({ ledger, paths }) => {
        const { before, archive = false, because = null } = options;
        const purged = options.dryRun
          ? null
          : await purge(ledger, paths, { before, archive, because, who: whoDecides(io) });
        const plan = purged?.plan ?? (await planPurge(ledger, paths, before));
        const named = (path: string) => relative(paths.root, path);
        print(
          io,
          options,
          () => documentOf(plan, purged, archive, named),
          () => textOf(plan, purged, archive, named),
        );
      });
    });
}

function documentOf(
  plan: PurgePlan,
  purged: Purged | null,
  archive: boolean,
  named: (path: string) => string,
) {
  return {
    dryRun: purged === null,
    decision: purged?.decisionId ?? null,
    before: plan.before,
    drops: plan.drops.map(({ dropId, source, file, rows, open, hasContent }) => ({
      drop: dropId,
      source,
      file,
      rows,
      open,
      hadContent: hasContent,
    })),
    cleared: { ...(purged?.cleared ?? { rows: 0, records: 0, issues: 0, answers: 0 }) },
    refusals: purged?.refusals ?? plan.refusals,
    archived: plan.archived.map(named),
    deletesArchived: archive,
    compacted: purged?.compacted ?? false,
  };
}

function textOf(
  plan: PurgePlan,
  purged: Purged | null,
  archive: boolean,
  named: (path: string) => string,
): string {
  const sum = (key: 'rows' | 'open') => plan.drops.reduce((total, drop) => total + drop[key], 0);
  const lines = [
    `${countOf(plan.drops.length, 'file')} taken in before ${plan.before}, ${countOf(sum('rows'), 'row')}; ${sum('open')} of them ${agreeing(sum('open'), 'is open and keeps its', 'are open and keep their')} content.`,
  ];
  if (purged === null) {
    const left = plan.drops.filter(({ hasContent }) => hasContent).length;
    lines.push(`Of ${countOf(left, 'file')} content would be cleared. Nothing was changed.`);
  } else {
    const { rows, records, issues, answers } = purged.cleared;
    lines.push(
      `Cleared: ${countOf(rows, 'row')}, ${countOf(records, 'record')}, ${countOf(issues, 'issue')}, ${countOf(answers, 'answer')}.`,
    );
    lines.push(
      purged.compacted
        ? 'The ledger was written anew, without what was cleared.'
        : 'What was cleared is overwritten. The file keeps its length, as somebody delivers: purge again later to shorten it.',
    );
  }
  if (plan.archived.length > 0) {
    const verb = archive
      ? purged === null
        ? 'would be deleted'
        : 'deleted'
      : 'stay (--archive deletes them)';
    lines.push(
      `${plan.archived.length} archived files ${verb}:`,
      ...plan.archived.map((path) => `  ${visibleText(named(path))}`),
    );
  }
  lines.push('Backups and reports/ still hold the content: delete those yourself.');
  return `${lines.join('\n')}\n`;
}
