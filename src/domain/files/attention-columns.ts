/** Columns added to the originals in the attention file; docs/operate.md and tests name them. */
export const ATTENTION_COLUMNS = [
  '_row',
  '_state',
  '_code',
  '_detail',
  '_remedy',
  '_status',
  '_attempts',
  '_error_id',
  '_drop',
] as const;

/**
 * True for the names of attention files, and for what browsers and people make of them: `12-academy.attention (1).csv`. A source
 * takes such a file even where its patterns don't match.
 */
export function isAttentionName(name: string): boolean {
  return /\.attention[^.]*\.(?:csv|xlsx)$/i.test(name);
}

/** Digits of the drop's SHA-256 in its mark: enough to recognise another ledger's drop with the same number. */
const DIGITS = 12;

/** What `_drop` says: the drop's number and how its SHA-256 begins, `12-3fa9c0de12ab`. */
export function dropMark(dropId: number, sha256: string): string {
  return `${dropId}-${sha256.slice(0, DIGITS)}`;
}

/** The parts of a mark; null for a text that is no mark. */
export function parseDropMark(text: string): { readonly dropId: number; readonly sha256: string } | null {
  const [, dropId, sha256] = /^(\d{1,15})-([0-9a-f]{12})$/.exec(text) ?? [];
  return dropId === undefined || sha256 === undefined ? null : { dropId: Number(dropId), sha256 };
}
