import { type RawBuilder, sql } from 'kysely';

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

/** From where on a list goes, by the numbers of its rows, and how far. */
export interface ListAsked {
  /** True: the latest first. */
  readonly isDescending: boolean;
  /** The row after which the list goes on; null: from its beginning. */
  readonly after: number | null;
  /** The most rows of one answer. */
  readonly most: number;
}

/** Condition: the number comes after the one that is asked about. */
export function isBeyond(number: string, { isDescending, after }: ListAsked): RawBuilder<boolean> {
  if (after === null) return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(number)} ${sql.raw(isDescending ? '<' : '>')} ${after}`;
}
