import type { ApiOperation } from './operation.js';
import { getHealth, getStatus } from './operations/status.js';

/** All operations of the HTTP interface, in the order of the document. */
export const OPERATIONS: readonly ApiOperation[] = [getStatus, getHealth];
