import { type DropsAsked, dropPage, type ListedDropFile } from '../../ledger/books/browse/drop-page.js';
import { type DropFile, readDrop } from '../../ledger/books/browse/read-drop.js';
import { maskRefusal } from '../../report/words/mask.js';
import type { ActionContext } from '../context.js';
import { type PageAsked, pageOf } from './page-of.js';

/** Which files a page shows; what is left out doesn't narrow. */
export type FilesAsked = PageAsked & Partial<Pick<DropsAsked, 'source' | 'name' | 'state' | 'sort'>>;

/** One page of files, with how many there are. */
export interface FilesPage {
  readonly rows: readonly ListedDropFile[];
  readonly total: number;
  /** The number of the next page; null: this is the last. */
  readonly next: number | null;
}

/** Lists files as they came in, with what each became; the newest first unless asked otherwise. */
export async function browseFiles({ ledger }: ActionContext, asked: FilesAsked): Promise<FilesPage> {
  const { source = null, name = null, state = null, sort = 'time', isMasked } = asked;
  const page = pageOf(asked);
  const { drops, total } = await dropPage(ledger, { source, name, state, sort, ...page });
  return {
    rows: drops.map((drop) => (isMasked ? maskedDrop(drop) : drop)),
    total,
    next: page.nextOf(total),
  };
}

/** Reads all facts about one file but its rows; null where there is none of this number. */
export async function browseFile(
  { ledger }: ActionContext,
  { dropId, isMasked }: { readonly dropId: number; readonly isMasked: boolean },
): Promise<DropFile | null> {
  const drop = await readDrop(ledger, dropId);
  if (drop === null || !isMasked) return drop;
  const mapped = new Set(Object.values(drop.mapping));
  return {
    ...maskedDrop(drop),
    // A column that feeds no field may be called anything.
    header: drop.header.map((name) => (mapped.has(name) ? name : '')),
    decisions: drop.decisions.map((decision) => ({ ...decision, because: null })),
  };
}

function maskedDrop<Drop extends ListedDropFile>(drop: Drop): Drop {
  const { refusal, closure } = drop;
  return {
    ...drop,
    refusal: refusal && maskRefusal(refusal),
    closure: closure?.kind === 'dismissed' ? { ...closure, because: null } : closure,
  };
}
