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

/** Also for what browsers and people make of such a name: `12-academy.attention (1).csv`. */
export function isAttentionName(name: string): boolean {
  return /\.attention[^.]*\.(?:csv|xlsx)$/i.test(name);
}

/** Enough to recognise another ledger's drop with the same number. */
const DIGITS = 12;

/** `12-3fa9c0de12ab`, of a corrected row with the decision that gave it its cells: `12-3fa9c0de12ab-7`. */
export function dropMark(dropId: number, sha256: string, correctedBy: number | null = null): string {
  return `${dropId}-${sha256.slice(0, DIGITS)}${correctedBy === null ? '' : `-${correctedBy}`}`;
}

/** null: no mark. `version`: the decision that gave the row its cells; 0: they are as they were read. */
export function parseDropMark(text: string) {
  const [, dropId, sha256, version = '0'] = /^(\d{1,15})-([0-9a-f]{12})(?:-(\d{1,15}))?$/.exec(text) ?? [];
  if (dropId === undefined || sha256 === undefined) return null;
  return { dropId: Number(dropId), sha256, version: Number(version) };
}
