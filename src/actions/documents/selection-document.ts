import type { DismissPlan } from '../dismiss.js';

/** The members of a document that say which rows were chosen; the list of the rows follows them. */
export function selectionDocument({ rows, leftOut }: Pick<DismissPlan, 'rows' | 'leftOut'>) {
  return {
    count: rows.total,
    causes: rows.groups,
    leftOut: leftOut.map(({ submissionId, rowRef, state }) => ({
      submissionId,
      drop: rowRef?.dropId ?? null,
      file: rowRef?.file ?? null,
      line: rowRef?.line ?? null,
      state,
    })),
  };
}

/** One row of the list. */
export function rowDocument({ dropId, ...row }: DismissPlan['first'][number]) {
  return { ...row, drop: dropId };
}
