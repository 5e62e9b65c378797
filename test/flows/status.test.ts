import { expect, it } from 'vitest';
import { fitText } from '../../src/cli/screen.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { documentOf, testWorkspace } from '../support/workspace.js';
import { withLedger } from '../support/workspace-ledger.js';

const ADA = 'ada@example.org';

interface StatusDocument {
  readonly environments: readonly {
    readonly waiting: number;
    readonly quota: { readonly sharedWith: string[] };
  }[];
  readonly attention: readonly { readonly code: string; readonly commands: readonly string[] }[];
  readonly decisions: readonly { readonly kind: string; readonly who: string }[];
  readonly refusedFiles: readonly { readonly file: string }[];
  readonly runs: readonly { readonly files: number; readonly rows: number; readonly requests: number }[];
}

it('status shows on one screen what waits, what needs attention and how, and what was done', async () => {
  const workspace = await testWorkspace({
    sandbox: { learners: { unknown: [ADA] } },
    environments: { main: {}, test: {} },
  });
  workspace.drop(
    'a.csv',
    csvOf([...exportRows(3), exportRow(10, { email: ADA }), exportRow(11, { at: 'soon' })]),
  );
  workspace.drop('odd.csv', 'Who,What\nada,C-1\n');
  await workspace.run();
  workspace.drop('b.csv', csvOf(exportRows(1_000, 100)));
  await workspace.cli('run', '--no-push');
  const facts = { kind: 'rerun' as const, who: decider('ada'), because: null, selection: {} };
  await withLedger(workspace, (ledger) =>
    openDecision(ledger, { ...facts, filter: { states: ['rejected'] } }),
  );

  const { stdout } = await workspace.cli('status');
  expect(fitText(stdout.trimEnd(), 80).split('\n').length).toBeLessThanOrEqual(24);
  expect(stdout).toMatch(/^1000 rows wait for main: \d+ s of delivery, until \w+ \d\d \w+ \d\d:\d\d .+\.$/m);
  expect(stdout).toContain('shared with test');
  expect(stdout).toContain('  > registrar map\n');
  expect(stdout).toMatch(/Decision 1, rerun of ada at .*, isn't finished\.\s+The\s+next\s+registrar\s+run/);
  expect(stdout).toMatch(/rejected\/academy\/odd\.csv: /);

  const status = documentOf<StatusDocument>(await workspace.cli('status', '--json'));
  expect(status.environments[0]).toMatchObject({ waiting: 1000, quota: { sharedWith: ['test'] } });
  expect(status.decisions).toMatchObject([{ kind: 'rerun', who: 'ada' }]);
  expect(status.runs).toMatchObject([
    { files: 1, rows: 1001, requests: 0 },
    { files: 2, rows: 6, requests: 4 },
  ]);
  expect(status.refusedFiles.map(({ file }) => file)).toEqual(['odd.csv']);
  expect(stdout).toContain('\nIf its rows are not needed: registrar dismiss --drop 2 --because TEXT\n');
});

it('a refused file is to be corrected and dropped again first, and dismissed only where its rows are not needed', async () => {
  const workspace = await testWorkspace();
  workspace.drop('odd.csv', 'Who,What\nada,C-1\n');
  await workspace.run();
  expect(workspace.files('rejected')).toContain('academy/odd.csv.reason.txt');
  const { stdout } = await workspace.cli('status');
  expect(stdout).toMatch(
    /correct them, then drop them again \(reason in NAME\.reason\.txt\):\n.*odd\.csv: .*not needed: registrar dismiss --drop 1 /s,
  );
});

it('commands that status prints work in the folder where it was run', async () => {
  const workspace = await testWorkspace({
    sandbox: { faults: { schedule: [{ kind: 'server-error', match: 'BAD-1', times: 2 }] } },
    environments: { main: { retry: { tries: 2, first: '10ms', longest: '20ms' } } },
  });
  workspace.drop('a.csv', csvOf([...exportRows(3), exportRow(20, { course: 'BAD-1' })]));
  await workspace.run();
  const here = documentOf<StatusDocument>(await workspace.cli('status', '--json'));
  const [cause] = here.attention;
  expect(cause?.commands).toEqual([`registrar rerun --state failed --reason ${quoted(cause?.code ?? '')}`]);
  const elsewhere = await workspace.cli('status', '--workspace', '.', '--json');
  expect(documentOf<StatusDocument>(elsewhere).attention).toEqual(here.attention);
});

function quoted(code: string): string {
  return code.includes(' ') ? `'${code}'` : code;
}
