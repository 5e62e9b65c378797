/** Rows per transaction: few enough that it takes well below a second, and other processes can write in between. */
export const PAGE_ROWS = 500;

/** Lets heartbeats and other work of this process run between two long reads of the ledger. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Yields the pages that `read` returns, up to an empty one. @param read gets the last item of the page before; null: none. */
export async function* pagesAfter<T>(read: (last: T | null) => Promise<readonly T[]>) {
  for (let last: T | null = null; ; ) {
    const page: readonly T[] = await read(last);
    last = page.at(-1) ?? null;
    if (last === null) return;
    yield page;
  }
}

export function* pagesOf<T>(items: readonly T[], size: number = PAGE_ROWS): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
