/** Which page of a list, and for whom. */
export interface PageAsked {
  /** From 1, which is also what is meant where it is left out or below. */
  readonly page?: number;
  readonly limit?: number;
  /** True where it is left out: the newest first. */
  readonly isDescending?: boolean;
  /** True where the reader may see no personal data. */
  readonly isMasked: boolean;
}

/** Entries on a page where the caller says nothing, and the most. */
const USUAL = 50;
const MOST = 500;

/** The page as the ledger takes it, and how the number of the next one is found; null: there is none. */
export function pageOf({ page, limit, isDescending = true }: PageAsked) {
  const number = Math.max(1, Math.floor(page ?? 1));
  const size = Math.min(Math.max(1, Math.floor(limit ?? USUAL)), MOST);
  return {
    page: number,
    limit: size,
    isDescending,
    nextOf: (total: number) => (number * size < total ? number + 1 : null),
  };
}
