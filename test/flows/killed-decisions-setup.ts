import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { testWorkspace } from '../support/workspace.js';

export const JANE = 'jane.canary@example.org';
export const NEW_JANE = 'jane.new@example.org';

/** More of her rows than go into one transaction of any decision, among others' in two pages. */
export const HERS = 510;
const OTHERS_BEFORE = 600;
const OTHERS_AFTER = 60;
/** More rows than go into two transactions of a purge. */
const CLOSED = 1_010;

/** A workspace with a file of Jane's rows and others', which wait, and one of rows that are dismissed. */
export const workspaceWithJane = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ root });
  const hers = Array.from({ length: HERS }, (_, n) =>
    exportRow(n, { email: JANE, course: `COURSE-${n}`, at: '2025-01-05 08:00:00' }),
  );
  workspace.drop(
    'jane.csv',
    csvOf([...exportRows(OTHERS_BEFORE, 10_000), ...hers, ...exportRows(OTHERS_AFTER, 20_000)]),
  );
  workspace.drop('closed.csv', csvOf(exportRows(CLOSED, 30_000)));
  await workspace.run('--no-push');
  await workspace.cli(
    'dismiss',
    '--file',
    'closed.csv',
    '--state',
    'waiting',
    '--because',
    'entered by hand',
  );
  return workspace;
});

/** Commands that write, of which each has to finish first what another one has left. */
export const DISMISS = ['dismiss', '--row', '1', '--state', 'waiting', '--because', 'a test account'];
export const STAGE = ['run', '--no-push'];

/** Each start of the program takes up to a second on a busy machine. */
export const SLOW = { timeout: 300_000 };
