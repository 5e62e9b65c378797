import { csvOf, type ExportRow, exportRow, workbookOf } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

export const JANE = 'jane.canary@example.org';
export const OLD_JANE = 'jane.oldcanary@example.org';
export const NEAR_JANE = 'mary-jane.canary@example.org';
export const REASON = ['--because', 'request 4711'];

export interface ForgetDocument {
  readonly states: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly mentions: number;
  readonly cleared: Readonly<Record<string, number>>;
  readonly files: readonly { readonly path: string; readonly sure: boolean }[];
  readonly deleted: readonly string[];
  readonly proof: { readonly bytes: number; readonly rows: number; readonly remaining: readonly object[] };
}

const line = (row: ExportRow, name: string, manager: string) => ({ ...row, name, manager });

export const PLATFORM = { sandbox: { learners: { unknown: [OLD_JANE] } } };

const copy = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ ...PLATFORM, root });
  const rows = [
    line(exportRow(1, { email: JANE }), 'Namecanary', ''),
    line(exportRow(1, { email: JANE }), 'Namecanary', ''),
    line(exportRow(2, { email: OLD_JANE }), 'Namecanary', ''),
    line(exportRow(3, { email: JANE, status: 'Not started' }), 'Namecanary', ''),
    line(exportRow(4, { email: `${JANE};x@example.org` }), 'Namecanary', ''),
    line(exportRow(5), 'Bob', JANE),
    line(exportRow(6, { email: NEAR_JANE }), 'Mary', ''),
  ];
  const columns = {
    email: 'Email',
    course: 'Course ID',
    at: 'Completed on',
    score: 'Score',
    status: 'Status',
    name: 'Full name',
    manager: 'Boss',
  };
  workspace.drop('a.csv', csvOf(rows, columns));
  await workspace.run();
  workspace.drop('b.xlsx', workbookOf([exportRow(7, { email: JANE }), exportRow(8)]));
  await workspace.run('--no-push');
  return workspace;
});

/**
 * Jane accepted, twice, refused as unknown, skipped, invalid, as a manager, and mapped; others beside her: delivered
 * once, and copied.
 */
export const delivered = (): Promise<TestWorkspace> => copy(PLATFORM);

export const forget = async (workspace: TestWorkspace, ...args: string[]) => {
  const result = await workspace.cli('forget', JANE, ...args, '--json');
  return { ...result, document: documentOf<ForgetDocument>(result) };
};

/** Several processes, each of which takes seconds on a busy machine. */
export const SLOW = { timeout: 300_000 };
