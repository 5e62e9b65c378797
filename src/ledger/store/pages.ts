/** Rows changed in one transaction: it ends well within a second, and another process that writes gets its turn. */
export const PAGE_ROWS = 500;

/** Lets other work of this process through, such as heartbeats, between two long reads of the ledger. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The items in pages of this size. */
export function* pagesOf<T>(items: readonly T[], size: number = PAGE_ROWS): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
