import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

/** What comes and goes is told at once. */
const AT_ONCE = { recoverAfter: '0s' };
const TO_FILE = { name: 'log', file: 'alerts.jsonl' };

/** Parts of every personal value in the rows. */
const CANARIES = ['canary', 'Kanari', 'unknown.learner'];

const ROWS = [
  ...exportRows(3),
  exportRow(7, { email: 'unknown.learner@canary.example' }),
  exportRow(8, { email: 'no address Kanari' }),
];

it('a run tells each cause once, the next run nothing, and the end of a cause is told once', async () => {
  const workspace = await testWorkspace({
    alerts: { ...AT_ONCE, channels: [TO_FILE] },
    sandbox: { learners: { unknownContaining: 'unknown' } },
  });
  workspace.drop('canary.csv', csvOf(ROWS));
  expect((await workspace.cli('run')).code).toBe(1);
  expect(told(workspace)).toEqual([
    ['opened cause academy email-invalid', 'opened cause academy learner-unknown'],
  ]);
  const list = documentOf<List>(await workspace.cli('alerts', '--json'));
  expect(list.open.map(({ title }) => title)).toEqual([
    'academy: 1 row needs attention (email-invalid)',
    'academy: 1 row needs attention (learner-unknown)',
  ]);
  expect((await workspace.cli('alerts')).stdout).toContain('2 alerts are open:');
  expect((await workspace.cli('status')).stdout).toContain('2 alerts are open: registrar alerts');
  await workspace.cli('run');
  expect(told(workspace)).toHaveLength(1);
  await workspace.cli('dismiss', '--all', '--because', 'entered by hand');
  await workspace.cli('run');
  expect(told(workspace).slice(1)).toEqual([
    ['recovered cause academy email-invalid', 'recovered cause academy learner-unknown'],
  ]);
  expect((await workspace.cli('alerts')).stdout).toContain('No alert is open.');
  const bytes = readFileSync(join(workspace.root, TO_FILE.file), 'utf8');
  expect(CANARIES.filter((canary) => bytes.includes(canary))).toEqual([]);
});

it('a channel that fails leaves the exit code of a run, and the next run tells of it through the others', async () => {
  const workspace = await testWorkspace({
    alerts: { ...AT_ONCE, channels: [{ name: 'gone', file: 'no/such/folder/alerts.jsonl' }, TO_FILE] },
  });
  workspace.drop('a.csv', csvOf(exportRows(3)));
  expect(await workspace.cli('run', '--quiet')).toMatchObject({ code: 0, stderr: '' });
  workspace.drop('b.csv', csvOf([exportRow(8, { email: 'no address' })]));
  const failed = await workspace.cli('run', '--quiet');
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stderr).toContain(
    'alert channel gone failed (ENOENT). What it was to tell is kept, and the next run tries again; registrar alerts test --channel gone tries it now.\n',
  );
  expect(told(workspace)).toEqual([['opened cause academy email-invalid']]);
  expect((await workspace.cli('status')).stdout).toMatch(
    /Alert channel gone doesn't work since .*: it failed \(ENOENT\)\./,
  );
  expect((await workspace.cli('run', '--quiet')).code).toBe(0);
  expect(told(workspace).slice(1)).toEqual([['opened channel-failing gone']]);
});

it('a test goes through every channel, says of each whether it went, and exits with 1 where one did not', async () => {
  const workspace = await testWorkspace({
    alerts: { channels: [TO_FILE, { name: 'gone', command: ['./nothing-there'] }] },
  });
  const all = await workspace.cli('alerts', 'test');
  expect(all.code).toBe(1);
  expect(all.stdout).toBe(
    'log: the test went by file\ngone: it could not be started (ENOENT); nothing went by command\n',
  );
  const one = await workspace.cli('alerts', 'test', '--channel', 'log', '--json');
  expect([one.code, documentOf<unknown>(one)]).toEqual([
    0,
    { channels: [{ channel: 'log', way: 'file', error: null }] },
  ]);
  const [line = ''] = lines(workspace);
  expect(JSON.parse(line)).toMatchObject({ test: true, title: 'a test of channel log', alerts: [] });
  expect(await workspace.cli('alerts', 'test', '--channel', 'lgo')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no channel of alerts "lgo". It has: log, gone.'),
  });
});

interface List {
  readonly open: readonly { readonly title: string }[];
}

function lines({ root }: TestWorkspace): string[] {
  return readFileSync(join(root, TO_FILE.file), 'utf8').trimEnd().split('\n');
}

/** For each message of the file: event, kind, subject and code of its alerts. */
function told(workspace: TestWorkspace): string[][] {
  return lines(workspace).map((line) => {
    const { alerts } = JSON.parse(line) as { alerts: Readonly<Record<string, string | null>>[] };
    return alerts
      .map(({ event, kind, subject, code }) =>
        [event, kind, subject, ...(code === null ? [] : [code])].join(' '),
      )
      .sort();
  });
}
