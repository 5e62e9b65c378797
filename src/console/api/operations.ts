import type { ApiOperation } from './operation.js';
import { getDecision, getDecisions, verbOperations } from './operations/decisions.js';
import { getFiles, postChecks, postDrops } from './operations/files.js';
import { getRows, getTrace, getUnknownLearners } from './operations/rows.js';
import { getRun, getRuns, postReruns, postRuns } from './operations/runs.js';
import { getHealth, getReport, getStatus } from './operations/status.js';

/** All operations of the HTTP interface, in the order of the document. */
export const OPERATIONS: readonly ApiOperation[] = [
  getStatus,
  getHealth,
  getReport,
  getRows,
  getTrace,
  getUnknownLearners,
  getFiles,
  getRuns,
  getRun,
  getDecisions,
  getDecision,
  postRuns,
  postReruns,
  ...verbOperations,
  postChecks,
  postDrops,
];
