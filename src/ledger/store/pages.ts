import { type RawBuilder, sql } from 'kysely';

/** Rows per transaction: few enough that it takes well below a second, and other processes can write in between. */
export const PAGE_ROWS = 500;

/** Yields to other work of this process, such as heartbeats, between two long reads of the ledger. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function* pagesOf<T>(items: readonly T[], size: number = PAGE_ROWS): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** A page of a list that is ordered by number. */
export interface ListQuery {
  readonly isDescending: boolean;
  /** The number after which the page starts; null: the first page. */
  readonly after: number | null;
  readonly most: number;
}

/** Condition: the number comes after `after`, in the order of the list. */
export function isBeyond(number: string, { isDescending, after }: ListQuery): RawBuilder<boolean> {
  if (after === null) return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(number)} ${sql.raw(isDescending ? '<' : '>')} ${after}`;
}
