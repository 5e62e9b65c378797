import type { Profiled } from './table.js';

/**
 * Thrown under a plan by the first rows alone, for a row that needs what only the whole column can prove, or that has
 * content under a merged cell.
 */
export class UndecidedRow extends Error {
  override readonly name = 'UndecidedRow';

  constructor() {
    super('the row asks for a profile of the whole drop');
  }
}

/** How a drop is read, planned by its first rows or by all of them. */
export type PlanBy<P> = (profiled: Profiled) => Promise<P>;

/**
 * Reads a drop under a plan by its first rows, and where a row is undecided begins again under a plan by all rows. Throws
 * what planning and reading throw, except UndecidedRow of the first reading.
 * @param first the plan by the first rows, where the caller has it already.
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
