import { relative } from 'node:path';
import { carryOut, type Purged, type PurgePlan, plan } from '../actions/purging/purge.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { visibleText } from '../domain/text/visible-text.js';
import type { Answer, Call } from './command.js';
import type { keep } from './facts/keep.js';

/** Carries `registrar purge` out. */
export async function answer({ options, who, openToDecide }: Call<typeof keep.purge>): Promise<Answer> {
  const { before, archive = false, because = null, dryRun = false } = options;
  const context = await openToDecide({ dryRun });
  const planned = await plan(context, { before, archive });
  const purged = dryRun ? null : await carryOut(context, planned, who, because);
  const named = (path: string) => relative(context.paths.root, path);
  return {
    document: () => documentOf(planned, purged, named),
    text: () => textOf(planned, purged, named),
  };
}

function documentOf(plan: PurgePlan, purged: Purged | null, named: (path: string) => string) {
  const { rows, records, issues, answers } = (purged ?? plan).cleared;
  return {
    dryRun: purged === null,
    decision: purged?.decisionId ?? null,
    before: plan.before,
    drops: plan.drops.map(({ sha256: _, hasContent, ...drop }) => ({ ...drop, hadContent: hasContent })),
    cleared: { rows, records, issues, answers },
    refusals: (purged ?? plan).refusals,
    archived: plan.archived.map(named),
    deletesArchived: plan.archive,
    compacted: purged?.compacted ?? false,
  };
}

function textOf(plan: PurgePlan, purged: Purged | null, named: (path: string) => string): string {
  const sum = (key: 'rows' | 'open') => plan.drops.reduce((total, drop) => total + drop[key], 0);
  const { rows, records, issues, answers } = (purged ?? plan).cleared;
  const lines = [
    `${countOf(plan.drops.length, 'file')} imported before ${plan.before}, ${countOf(sum('rows'), 'row')}; ${sum('open')} of them ${agreeing(sum('open'), 'is open and keeps its', 'are open and keep their')} content.`,
    `${purged === null ? 'Would be cleared' : 'Cleared'}: ${countOf(rows, 'row')}, ${countOf(records, 'record')}, ${countOf(issues, 'issue')}, ${countOf(answers, 'answer')}.`,
    compactedText(purged),
  ];
  if (plan.archived.length > 0) {
    const count = plan.archived.length;
    const done = purged === null ? 'would be deleted' : agreeing(count, 'was deleted', 'were deleted');
    const stays = `${agreeing(count, 'stays', 'stay')} (--archive deletes ${agreeing(count, 'it', 'them')})`;
    lines.push(
      `${countOf(count, 'archived file')} ${plan.archive ? done : stays}:`,
      ...plan.archived.map((path) => `  ${visibleText(named(path))}`),
    );
  }
  lines.push('Backups and reports/ still hold the content: delete those yourself.');
  return `${lines.join('\n')}\n`;
}

function compactedText(purged: Purged | null): string {
  if (purged === null) return 'Nothing was changed.';
  return purged.compacted
    ? 'The ledger was rewritten, without what was cleared.'
    : 'What was cleared is overwritten. The file keeps its length, because a process is delivering: purge again later to shorten it.';
}
