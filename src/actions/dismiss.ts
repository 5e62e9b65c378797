import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Selectable, Selection } from '../domain/selection.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import { listDecision } from '../ledger/decisions.js';
import { type Ledger, reading, writing } from '../ledger/query.js';
import {
  dismissRefusals,
  type RefusedDrop,
  refusedDrops,
  refusedDropsNamed,
  settlementOf,
} from '../ledger/refused-drops.js';
import {
  countSelected,
  type Selected,
  type SelectedCount,
  selectedPage,
  selectedPages,
} from '../ledger/selection.js';
import { tracedDrop } from '../ledger/traced-rows.js';
import { settlementText } from '../report/settlement-words.js';
import { shellWord } from '../report/shell-word.js';
import type { ActionContext } from './context.js';
import { decide } from './decision/decide.js';
import { moveListed } from './decision/move-listed.js';
import { type LocatedRows, locateRows } from './rows/locate-rows.js';

/** What can be dismissed. */
export const DISMISSABLE: Selectable = {
  done: 'dismissed',
  states: ['waiting', ...ATTENTION_STATES, 'invalid'],
  usual: [...ATTENTION_STATES, 'invalid'],
};

/** Throws OperatorError where no reason is given, which is all that will say why these rows were never sent. */
export function requireReason(because: string): void {
  if (because.trim() !== '') return;
  throw new OperatorError({
    operation: 'dismiss rows',
    subject: '--because',
    message: 'dismiss needs a reason, which is kept with the decision',
    hint: 'Add --because "…", or look first with --dry-run.',
  });
}

/** What is to be dismissed. */
export interface DismissRequest {
  /** null: no row, only the file that is named. */
  readonly selection: Selection | null;
  /** A file that was set aside as a whole; null: none but those that the selection names by nothing but their name. */
  readonly drop: number | null;
}

/** What a dismissal would do. */
export interface DismissPlan extends LocatedRows {
  readonly request: DismissRequest;
  readonly rows: SelectedCount;
  /** Files that were set aside as a whole, and would be settled. */
  readonly files: readonly RefusedDrop[];
  /** The first of the rows. */
  readonly first: readonly Selected[];
}

/** What a dismissal has done. */
export interface Dismissed {
  readonly decisionId: number;
  /** Submissions that will not be sent. */
  readonly moved: number;
  /** Invalid rows that need nobody any more. */
  readonly resolved: number;
  readonly files: readonly RefusedDrop[];
}

/** Rows of a plan that are looked at before somebody asks for all. */
const FIRST = 50;

/**
 * Works out what a dismissal would close, on one unchanging view of the ledger; writes nothing. Throws OperatorError for what
 * is named and doesn't exist.
 */
export function plan({ ledger }: ActionContext, request: DismissRequest): DismissPlan {
  return reading(ledger, () => {
    const files = setAsideFiles(ledger, request);
    const located = request.selection === null ? NOTHING : locateRows(ledger, request.selection);
    const rows = countSelected(ledger, located.filter);
    return { ...located, request, rows, files, first: selectedPage(ledger, located.filter, null, FIRST) };
  });
}

/** All rows of a plan, as they are by now: read page by page. */
export function* dismissedRows(
  { ledger }: Pick<ActionContext, 'ledger'>,
  { filter }: DismissPlan,
): Generator<Selected, void, undefined> {
  for (const page of selectedPages(ledger, filter)) yield* page;
}

/**
 * Dismisses the rows and files of a plan. Rows that have moved since it was made are left alone.
 */
export async function carryOut(
  context: ActionContext,
  { filter, recorded, request, files }: DismissPlan,
  who: Decider,
  because: string,
): Promise<Dismissed> {
  requireReason(because);
  const { ledger } = context;
  const dropIds = files.map(({ dropId }) => dropId);
  const selection = {
    ...recorded,
    ...(request.drop === null ? {} : { drop: request.drop }),
    ...(dropIds.length === 0 ? {} : { setAside: dropIds }),
  };
  const open = () =>
    writing(ledger, () => {
      const listed = listDecision(ledger, { kind: 'dismiss', who, because, selection }, filter);
      dismissRefusals(ledger, dropIds, listed);
      return listed;
    });
  const asked = { operation: 'dismiss rows', subject: 'the ledger' };
  const { decisionId, result } = await decide(context, moveListed, open, { asked });
  return { decisionId, moved: result.moved ?? 0, resolved: result.resolved ?? 0, files };
}

const NOTHING: LocatedRows = { filter: { states: [] }, recorded: {}, leftOut: [] };

/** The drop that is named, and where nothing but a file's name is, those of that name. */
function setAsideFiles(ledger: Ledger, { selection, drop }: DismissRequest): RefusedDrop[] {
  const named = selection === null ? null : onlyFile(selection);
  const found = named === null ? [] : refusedDropsNamed(ledger, named);
  if (drop === null || found.some(({ dropId }) => dropId === drop)) return found;
  const one = refusedDrops(ledger).find(({ dropId }) => dropId === drop);
  if (one === undefined) throw notSetAside(ledger, drop);
  return [...found, one];
}

/** null where the rows are narrowed otherwise: then rows are meant, and no file as a whole. */
function onlyFile({ file, states, ...narrowed }: Selection): string | null {
  const isUsual = DISMISSABLE.usual.every((state) => states.includes(state));
  return isUsual && Object.values(narrowed).every((value) => value === null) ? file : null;
}

function notSetAside(ledger: Ledger, drop: number): OperatorError {
  const known = tracedDrop(ledger, drop);
  const settlement = settlementOf(ledger, drop);
  const about = (message: string, hint: string) =>
    new OperatorError({ operation: 'dismiss a file', subject: `drop ${drop}`, message, hint });
  if (known === undefined)
    return about(`there is no drop ${drop}`, 'registrar status lists the files that were set aside.');
  if (settlement !== null) {
    return about(
      `drop ${drop}, ${known.file}, is settled already${settlementText(settlement)}`,
      'Nothing is to be done.',
    );
  }
  return about(
    `drop ${drop}, ${known.file}, was not set aside: its rows count`,
    `To dismiss its rows: registrar dismiss --file ${shellWord(known.file)} --because TEXT.`,
  );
}
