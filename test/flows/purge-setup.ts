import { expect } from 'vitest';
import { isoFromMs, systemClock } from '../../src/domain/clock.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';

export const UNKNOWN = 'open.row@example.org';
export const CLOSED = 'closed.canary@example.org';
export const BROKEN = 'broken.canary@example';
export const SKIPPED = 'skipped.canary@example.org';

/** Now: everything is older. */
export const now = () => isoFromMs(systemClock().nowMs());

export const FILE = csvOf([
  ...exportRows(3),
  exportRow(4, { email: CLOSED }),
  exportRow(4, { email: CLOSED }),
  exportRow(5, { email: UNKNOWN }),
  exportRow(6, { email: SKIPPED, status: 'Not started' }),
  exportRow(7, { email: BROKEN }),
]);

export const PLATFORM = { sandbox: { learners: { unknown: [UNKNOWN] } } };

const copy = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ ...PLATFORM, root });
  workspace.drop('a.csv', FILE);
  expect((await workspace.run()).code).toBe(1);
  return workspace;
});

/** One file with an accepted, a duplicate, a refused, a skipped and an invalid row: delivered once, and copied. */
export const delivered = (): Promise<TestWorkspace> => copy(PLATFORM);

/** Several processes, each of which takes seconds on a busy machine. */
export const SLOW = { timeout: 300_000 };
