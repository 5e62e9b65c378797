import { expect, it } from 'vitest';
import { map } from '../../../../src/actions/map.js';
import type { FileStanding } from '../../../../src/domain/files/file-standing.js';
import { type FileSelection, fileFacts, listFiles } from '../../../../src/ledger/books/files/list-files.js';
import { beginDrop } from '../../../../src/ledger/drops/begin-drop.js';
import { publishDrop } from '../../../../src/ledger/drops/publish-drop.js';
import { refuseDrop } from '../../../../src/ledger/drops/refused/refuse-drop.js';
import { thisProcess } from '../../../../src/ledger/leases/owner.js';
import { beginRun } from '../../../../src/ledger/leases/runs.js';
import type { Ledger } from '../../../../src/ledger/store/query.js';
import { stageBatch } from '../../../../src/ledger/submissions/staging/staging.js';
import { submitCompletion } from '../../../../src/operations/submit-completion.js';
import { actionContext } from '../../../support/action-context.js';
import { decider } from '../../../support/decider.js';
import { csvOf, exportRow, exportRows } from '../../../support/exports.js';
import { preparedCompletion, READ_AS_CSV } from '../../../support/prepared-completion.js';
import {
  claimNext,
  deliverNext,
  mustLease,
  stage,
  testLedger,
  UNKNOWN_LEARNER,
} from '../../../support/staged-ledger.js';
import { withCells } from '../../../support/with-cells.js';
import { testWorkspace } from '../../../support/workspace.js';
import { workspaceContext } from '../../../support/workspace-context.js';

const ALL: FileSelection = {
  source: null,
  name: null,
  standing: null,
  after: null,
  limit: 50,
};

const names = async (ledger: Ledger, selection: Partial<FileSelection>) =>
  (await listFiles(ledger, { ...ALL, ...selection })).files.map(({ file }) => file);

it('counts each file’s submissions by state as counting them one by one does, whatever was decided since', async () => {
  const TYPO = 'aad@example.org';
  const workspace = await testWorkspace({
    sandbox: { learners: { unknown: [TYPO, 'gone@example.org', 'later@example.org'] } },
  });
  const rowsOf = (email: string, from: number) =>
    [from, from + 1, from + 2].map((n) => exportRow(n, { email }));
  workspace.drop(
    'a.csv',
    csvOf([...exportRows(4), ...rowsOf(TYPO, 10), exportRow(3), exportRow(30, { at: 'never' })]),
  );
  await workspace.run();
  workspace.drop('b.csv', csvOf([...rowsOf('gone@example.org', 20), ...rowsOf('later@example.org', 24)]));
  await workspace.run();
  await workspace.cli('map', TYPO, 'ada@example.org', '--because', 'a typo');
  await workspace.cli('dismiss', '--learner', 'gone@example.org', '--because', 'she left');
  workspace.drop('c.csv', csvOf(exportRows(3, 40)));
  await workspace.run('--no-push');

  const { ledger } = await workspaceContext(workspace);
  const { files, total } = await listFiles(ledger, ALL);
  expect(total).toBe(3);
  expect(files.map(({ file, rows }) => [file, rows])).toEqual([
    ['c.csv', 4],
    ['b.csv', 7],
    ['a.csv', 10],
  ]);
  for (const { drop: dropId, states, dispositions } of files) {
    const counted = workspace.query<{ state: string; count: number }>(
      `select state, count(*) as count from submission where drop_id = ${dropId} group by state`,
    );
    expect(states).toEqual(Object.fromEntries(counted.map(({ state, count }) => [state, count])));
    expect(Object.values(dispositions).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  }
  // Rows of an unknown learner that weren't under way together with the first one are held.
  const states = new Set(files.flatMap(({ states }) => Object.keys(states)));
  states.delete('held');
  expect(states).toEqual(new Set(['waiting', 'accepted', 'rejected', 'dismissed', 'replaced']));
});

it('rows that a decision makes while a file is staged are counted for their own file', async () => {
  const [OLD, NEW] = ['ada@old.example', 'ada@new.example'];
  const ledger = testLedger();
  const first = await stage(ledger, [{ user: OLD }, { user: 'b@x.org' }]);
  await deliverNext(ledger, await mustLease(ledger, 'push:main'), first.runId, UNKNOWN_LEARNER, 400);
  const second = await stage(ledger, [{ user: 'c@x.org' }], { publish: false });
  const context = actionContext(ledger);
  const mapping = await map.plan(context, { old: OLD, new: NEW });
  await map.carryOut(context, mapping, decider('ada'), 'married');
  const lease = await mustLease(ledger, 'stage');
  const target = {
    dropId: second.dropId,
    operation: submitCompletion,
    environment: 'main',
    sendAmendments: false,
  };
  const row = preparedCompletion(ledger, { user: 'd@x.org' }, 3);
  await stageBatch(
    ledger,
    lease,
    target,
    withCells([row], () => ['d']),
  );
  await publishDrop(ledger, lease, second.dropId, { rowsRead: 2 });
  const { files } = await listFiles(ledger, ALL);
  expect(files.map(({ drop: dropId, states }) => [dropId, states])).toEqual([
    [second.dropId, { waiting: 2 }],
    [first.dropId, { waiting: 2, replaced: 1 }],
  ]);
});

it('rows being sent, and a file being staged, are distinct from what counts', async () => {
  const ledger = testLedger();
  const { dropId, runId } = await stage(ledger, [{ user: 'a@x.org' }, { user: 'b@x.org' }]);
  await claimNext(ledger, await mustLease(ledger, 'push:main'), runId);
  await stage(ledger, [{ user: 'c@x.org' }], { publish: false });
  const { files } = await listFiles(ledger, ALL);
  expect(files.map(({ standing, rows, states }) => ({ standing, rows, states }))).toEqual([
    { standing: 'importing', rows: null, states: {} },
    { standing: 'imported', rows: 2, states: { waiting: 1, sending: 1 } },
  ]);
  expect((await fileFacts(ledger, dropId))?.arrivalCount).toBe(1);
});

it('files are narrowed by source, a part of the name and state, the latest first, a page at a time', async () => {
  const ledger = testLedger();
  const runId = await beginRun(ledger, 'manual', thisProcess(), 'test');
  const facts = (source: string, fileName: string, n: number) => ({
    source,
    identity: { sha256: `f${n}`.padStart(64, '0'), bytes: 1 },
    fileName,
    operation: 'submit-completion',
    environment: 'main',
    runId,
    isResumed: false,
  });
  const refused = (source: string, fileName: string, n: number) =>
    refuseDrop(
      ledger,
      { ...facts(source, fileName, n), format: null },
      { code: 'drop-unreadable', text: 'no header' },
    );
  await refused('academy', 'March 100%.csv', 1);
  await refused('sales', 'april.csv', 2);
  await refused('sales', 'May_final.csv', 3);
  await beginDrop(ledger, facts('academy', 'june.csv', 4), READ_AS_CSV);
  expect(await names(ledger, { source: 'sales' })).toEqual(['May_final.csv', 'april.csv']);
  expect(await names(ledger, { name: 'MA' })).toEqual(['May_final.csv', 'March 100%.csv']);
  expect(await names(ledger, { name: '0%' })).toEqual(['March 100%.csv']);
  expect(await names(ledger, { name: '_' })).toEqual(['May_final.csv']);
  const standing = (one: FileStanding) => names(ledger, { standing: one });
  expect(await standing('refused')).toEqual(['May_final.csv', 'april.csv', 'March 100%.csv']);
  expect(await standing('importing')).toEqual(['june.csv']);
  expect(await standing('closed')).toEqual([]);
  expect(await standing('imported')).toEqual([]);
  const { next } = await listFiles(ledger, { ...ALL, limit: 3 });
  const second = await listFiles(ledger, { ...ALL, after: next, limit: 3 });
  expect(second).toMatchObject({ total: 4, files: [{ file: 'March 100%.csv', refusal: 'no header' }] });
});
