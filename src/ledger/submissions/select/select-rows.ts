import type { RefusedDrop } from '../../../documents/status.js';
import { obstacleTo, type Obstacle as SlotObstacle } from '../../../domain/delivery/slot.js';
import type { IdentifiedLearner } from '../../../domain/learners/corrected-learners.js';
import type { Selection } from '../../../domain/selection.js';
import { ATTENTION_STATES } from '../../../domain/submission.js';
import { type OtherDrop, refusalsToDismiss } from '../../drops/refused/refused-drops.js';
import { type Ledger, reading } from '../../store/query.js';
import { slotsOf } from '../slots.js';
import { type LocatedRows, locateRows } from './locate-rows.js';
import {
  countSelected,
  type RowFilter,
  type SelectedCount,
  type SelectedRow,
  selectedPage,
  selectedPages,
  settledMoment,
} from './selection.js';

export interface ResolvedSelection {
  readonly selection: Selection;
  /** The learners that its identifier may mean, one for each type of identifier; null: it has none. Personal. */
  readonly learners: readonly IdentifiedLearner[] | null;
}

/** The preview of a dismissal: the number of rows, the first of them (`first`), and refused files. */
export interface DismissalOutlook extends LocatedRows {
  readonly rows: SelectedCount;
  readonly first: readonly SelectedRow[];
  readonly files: readonly RefusedDrop[];
}

/**
 * Previews a dismissal: the rows and the refused files that it would close. Throws OperatorError for unknown names.
 * @param named.file refused files of this name, named.drop the refused file of this drop; null: none.
 * @param most the maximum number of rows to return; all are counted.
 * @returns `other` where the drop isn't an open refused file.
 */
export async function planDismissal(
  ledger: Ledger,
  {
    rows,
    ...named
  }: { readonly rows: ResolvedSelection | null; readonly file: string | null; readonly drop: number | null },
  limit: number,
): Promise<DismissalOutlook | { readonly other: OtherDrop }> {
  const asOf = await settledMoment(ledger);
  return reading(ledger, async (ledger) => {
    const { files, other } = await refusalsToDismiss(ledger, named);
    if (other !== null) return { other };
    const located =
      rows === null ? NO_ROWS : await locateRows(ledger, rows.selection, rows.learners, { asOf });
    const { filter } = located;
    const first = await selectedPage(ledger, filter, { after: null, limit, direction: 'asc' });
    return { ...located, rows: await countSelected(ledger, filter), first, files };
  });
}

const NO_ROWS: LocatedRows = { filter: { states: [] }, recorded: {}, omitted: [], unsearched: 0 };

/** What would prevent a row from being sent at once after a rerun. */
export type Obstacle =
  | SlotObstacle
  /** Its stored record differed from the staged one: it would be held again. */
  | { readonly kind: 'damaged' };

/** A matching row, with what would keep a rerun from sending it; null: nothing, or only another row of the rerun. */
export interface RerunRow {
  readonly row: SelectedRow;
  readonly obstacle: Obstacle | null;
}

export type RerunOutlook = Awaited<ReturnType<typeof planRerun>>;

/**
 * Previews a rerun, by checking each row as before sending. Throws OperatorError for names that don't exist.
 * @param most the maximum number of rows to return; all are counted.
 */
export async function planRerun(ledger: Ledger, resolved: ResolvedSelection, limit: number) {
  const { selection, learners } = resolved;
  const asOf = await settledMoment(ledger);
  return reading(ledger, async (ledger) => {
    const located = await locateRows(ledger, selection, learners, { asOf });
    const { filter } = located;
    const rows = await countSelected(ledger, filter);
    const counts = { replaced: 0, damaged: 0, behind: 0 };
    const ahead = new Set<number>();
    const sent = new Map<string, number>();
    const first: RerunRow[] = [];
    for (const { environment, rows: fitting } of rows.groups) add(sent, environment, fitting);
    for await (const page of rowsToMove(ledger, filter)) {
      first.push(...page.slice(0, limit - first.length));
      for (const { row, obstacle } of page) {
        if (obstacle === null) continue;
        counts[obstacle.kind] += 1;
        if (obstacle.kind === 'behind') ahead.add(obstacle.id);
        else add(sent, row.environment, -1);
      }
    }
    const isNarrowed = selection.rows !== null || selection.states.length < ATTENTION_STATES.length;
    return {
      ...located,
      rows,
      /** The number of rows that would be sent, by environment. */
      sent,
      /** How many a newer revision replaces, would be held as damaged, and wait for an older row. */
      ...counts,
      /** The waiting rows that go before them: they are sent too. */
      ahead,
      /** The number of invalid rows that match the rest of the selection; a rerun doesn't apply to them. */
      invalid: isNarrowed ? 0 : await countInvalid(ledger, resolved),
      first,
    };
  });
}

/**
 * Streams the pages of rows that a rerun or a dismissal would move, in their present states, and checks each row as
 * before sending.
 */
export async function* rowsToMove(ledger: Ledger, filter: RowFilter): AsyncGenerator<readonly RerunRow[]> {
  for await (const page of selectedPages(ledger, filter)) {
    const ids = page.flatMap(({ submissionId }) => submissionId ?? []);
    const slots = await slotsOf(ledger, ids);
    yield page.map((row): RerunRow => {
      const slotted = slots.get(row.submissionId ?? 0);
      if (slotted === undefined) return { row, obstacle: null };
      if (row.code === 'damaged') return { row, obstacle: { kind: 'damaged' } };
      return { row, obstacle: obstacleTo(slotted.slot, slotted.own) };
    });
  }
}

async function countInvalid(ledger: Ledger, { selection, learners }: ResolvedSelection): Promise<number> {
  const { filter } = await locateRows(ledger, { ...selection, states: ['invalid'] }, learners);
  return (await countSelected(ledger, filter)).total;
}

function add(sums: Map<string, number>, name: string, count: number): void {
  sums.set(name, (sums.get(name) ?? 0) + count);
}
