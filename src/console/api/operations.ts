import type { ApiOperation } from './operation.js';
import { postChecks, postDrops, postRuns } from './operations/changing.js';
import { postReruns, verbOperations } from './operations/deciding.js';
import { READ_OPERATIONS } from './operations/reading.js';

/** All operations of the HTTP interface, in the order of the document. */
export const OPERATIONS: readonly ApiOperation[] = [
  ...READ_OPERATIONS,
  postRuns,
  postReruns,
  ...verbOperations,
  postChecks,
  postDrops,
];
