import type { Profiled } from './table.js';

/** A row asks for what only the whole column can prove, or shows what lies under a merge, and is read by the first rows. */
export class UndecidedRow extends Error {
  override readonly name = 'UndecidedRow';

  constructor() {
    super('the row asks for a profile of the whole drop');
  }
}

/** How a drop is read, planned by its first rows or by all of them. */
export type PlanBy<P> = (profiled: Profiled) => Promise<P>;

/**
 * Reads a drop by its first rows, and from the beginning again by all of them where a row is undecided. Throws what
 * planning and reading throw, but for UndecidedRow.
 * @param first its plan by the first rows, where that is known.
 */
export async function widening<P, R>(
  planBy: PlanBy<P>,
  read: (plan: P, profiled: Profiled) => Promise<R>,
  first?: P,
): Promise<R> {
  try {
    return await read(first ?? (await planBy('sample')), 'sample');
  } catch (error) {
    if (!(error instanceof UndecidedRow)) throw error;
    return read(await planBy('whole'), 'whole');
  }
}
