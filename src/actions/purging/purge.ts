import type { PurgeDocument } from '../../documents/decisions.js';
import { isoFromMs } from '../../domain/clock.js';
import { errorsOf } from '../../domain/operator-error.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { type OldContent, planPurge } from '../../ledger/erasure/purge-content.js';
import type { Ledger } from '../../ledger/store/query.js';
import { fromWorkspace } from '../../workspace/folders.js';
import { decide } from '../decision/decide.js';
import type { Verb } from '../decision/verb.js';
import type { RequestOf } from '../decision/verb-facts.js';
import { archivedOf, type PurgedContent, purgeHandler } from './handler.js';

/** The content of old closed rows is cleared. Counts, hashes, keys and times stay, so that nothing is sent again. */
export const purge: Verb<RequestOf<'purge'>, PurgePlan, Purged> = {
  async plan({ ledger, paths }, request) {
    const { before } = request;
    requirePast(ledger, before);
    const old = await planPurge(ledger, before);
    const archived = await archivedOf(old, { ledger, paths });
    return { ...request, ...old, archived: archived.map((path) => fromWorkspace(path, paths)) };
  },
  async carryOut(context, { before, archive }, who, because) {
    const facts = { kind: 'purge' as const, who, because, selection: { before, archive } };
    const { decisionId, done } = await decide(context, purgeHandler, facts);
    return { ...done, decisionId };
  },
  preview: (planned) => ({
    headline: foundText(planned),
    lines: [`Would be cleared: ${clearedText(planned)}.`, ...archivedLines(planned, false)],
    tables: [],
    changes: true,
    fingerprint: [...Object.values(planned.cleared), planned.archived.length].join(' '),
  }),
  outcome: (planned, purged) => [
    `${foundText(planned)}.`,
    `Cleared: ${clearedText(purged)}.`,
    purged.compacted
      ? 'The ledger was rewritten, without what was cleared.'
      : 'What was cleared is overwritten. The file keeps its length, because a process is delivering: purge again later to shorten it.',
    ...archivedLines(planned, true),
  ],
  document: documentOf,
};

/** `before` is an ISO time: the content of drops that were published earlier may be cleared. */
export interface PurgePlan extends RequestOf<'purge'>, OldContent {
  /** Files in archive/ of drops without open rows, by their paths in the workspace. */
  readonly archived: readonly string[];
}

type Purged = PurgedContent & { readonly decisionId: number };

/** Throws OperatorError for a time in the future: a mistyped year would clear everything for good. */
function requirePast(ledger: Ledger, before: string): void {
  const now = isoFromMs(ledger.clock.nowMs());
  if (before <= now) return;
  const hint = `It is ${now} now; name a day or a time in the past. Nothing was changed.`;
  throw errorsOf('purge the ledger')('--before', `--before ${before} is in the future`, hint);
}

function foundText({ drops, before }: PurgePlan): string {
  const sum = (key: 'rows' | 'open') => drops.reduce((total, drop) => total + drop[key], 0);
  return `${countOf(drops.length, 'file')} imported before ${before}, ${countOf(sum('rows'), 'row')}; ${sum('open')} of them ${agreeing(sum('open'), 'is open and keeps its', 'are open and keep their')} content`;
}

function clearedText({ cleared: { rows, records, issues, answers } }: Pick<Purged, 'cleared'>): string {
  return `${countOf(rows, 'row')}, ${countOf(records, 'record')}, ${countOf(issues, 'issue')}, ${countOf(answers, 'answer')}`;
}

function archivedLines({ archived, archive }: PurgePlan, isDone: boolean): string[] {
  const count = archived.length;
  const deleted = isDone ? agreeing(count, 'was deleted', 'were deleted') : 'would be deleted';
  const stays = `${agreeing(count, 'stays', 'stay')} (--archive deletes ${agreeing(count, 'it', 'them')})`;
  const files = [
    `${countOf(count, 'archived file')} ${archive ? deleted : stays}:`,
    ...archived.map((path) => `  ${path}`),
  ];
  const others = 'Backups and reports/ still hold the content: delete those yourself.';
  return count > 0 ? [...files, others] : [others];
}

function documentOf(planned: PurgePlan, purged: Purged | null, dryRun: boolean): PurgeDocument {
  const { before, drops, archived, archive } = planned;
  const { refusals, ...cleared } = (purged ?? planned).cleared;
  return {
    dryRun,
    decision: purged?.decisionId ?? null,
    before,
    drops: drops.map(({ sha256: _, hasContent, ...drop }) => ({ ...drop, hadContent: hasContent })),
    ...{ cleared, refusals, archived },
    deletesArchived: archive,
    compacted: purged?.compacted ?? false,
  };
}
