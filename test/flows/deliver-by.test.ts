import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { isoFromMs, systemClock } from '../../src/domain/clock.js';
import { exitCode } from '../../src/domain/operator-error.js';
import { programEnv } from '../support/command-line.js';
import { csvOf, exportRows } from '../support/exports.js';
import {
  CREDENTIALS,
  documentOf,
  ledgerEnv,
  type TestWorkspace,
  testWorkspace,
} from '../support/workspace.js';

/** Two requests an hour: three rows take an hour and a half, of which a run waits for a second. */
const SLOW = { quota: { requests: 2, per: '1h' } };
const FOR_A_SECOND = ['--max-duration', '1s'];

const SKILLS = { skills: { operation: 'add-skills' } };

it('a run says on a terminal what it sends, until when and whether in time, before the first request', async () => {
  const workspace = await testWorkspace({
    environments: { main: { deliverBy: clockIn(2 * 60), timeZone: 'UTC' } },
    sources: SKILLS,
  });
  workspace.drop('skills.csv', 'Content ID,Skill\nC-1,Go\nC-2,Python\nC-1,Ruby\nC-1,SQL\n', 'skills');
  const { code, lines } = await onTerminal(workspace, 'run');
  const line = lines.find(({ text }) => text.startsWith('main: '));
  expect(line?.text).toMatch(
    /^main: 4 rows in 2 requests, about 0 s at 70 per 500ms, until [\w ]*\d\d:\d\d \S+, will meet the [\w ]*\d\d:\d\d \S+ deadline\n$/,
  );
  expect(line?.received).toBe(0);
  expect(lines.filter(({ text }) => /^(main:|Delivering )/.test(text))).toEqual([line]);
  expect(code).toBe(0);
  expect(workspace.posts()).toBe(2);
});

it('a late deliverBy is a warning in the log, of a dry run too, and the run ends as usual', async () => {
  const workspace = await testWorkspace({
    environments: { main: { ...SLOW, deliverBy: clockIn(10), timeZone: 'UTC' } },
  });
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.run('--no-push');
  const planned = await workspace.cli('run', '--dry-run');
  expect(planned.stdout).toMatch(
    /main: 3 rows in 3 requests, about 1 h 30 min at 2 per 1h, until .*, will miss the .* deadline by about 1 h 2\d min\n/,
  );
  expect((await workspace.cli('status')).stdout).toMatch(
    /^3 rows wait for main: 1 h 30 min of delivery.*\n {2}will miss the .* deadline by about 1 h 2\d min\n/,
  );
  const { code, stderr } = await workspace.cli('run', ...FOR_A_SECOND);
  const [warning] = stderr.split('\n').filter((line) => line.includes('deadline will be missed'));
  expect(JSON.parse(warning ?? '')).toMatchObject({
    level: 40,
    msg: 'delivering: the deadline will be missed',
    environment: 'main',
    rows: 3,
    requests: 3,
    estimatedMs: 5_400_750,
    quota: { requests: 2, perMs: 3_600_000 },
    deliverBy: { timeZone: 'UTC', lateByMs: expect.any(Number) },
  });
  expect(code).toBe(0);
});

it('environments of one client id count together, and without --verbose those in time are not shown', async () => {
  const workspace = await testWorkspace({
    environments: { main: SLOW, second: SLOW },
    sources: { academy: {}, campus: { environment: 'second' } },
  });
  workspace.drop('a.csv', csvOf(exportRows(3)));
  workspace.drop('b.csv', csvOf(exportRows(1, 50)), 'campus');
  await workspace.run('--no-push');
  const { environments } = documentOf<Plan>(await workspace.cli('run', '--dry-run', '--json'));
  const minutes = environments.map((one) => Math.round(one.estimatedMs / 60_000));
  // The one row leaves as one of the first two, the three as the last of four.
  expect(minutes).toEqual([120, 60]);
  expect((await workspace.cli('run', ...FOR_A_SECOND)).stderr).not.toContain('delivering');
});

interface Plan {
  readonly environments: readonly { readonly estimatedMs: number }[];
}

/** The time of day in UTC in so many minutes. */
function clockIn(minutes: number): string {
  return isoFromMs(systemClock().nowMs() + minutes * 60_000).slice(11, 16);
}

/** Runs a command line as on a terminal; each text with the number of requests that the platform had received. */
async function onTerminal(workspace: TestWorkspace, ...args: string[]) {
  const { root, sandbox } = workspace;
  const lines: { readonly text: string; readonly received: number }[] = [];
  const io = {
    out: () => {},
    err: (text: string) => void lines.push({ text, received: sandbox.platform.received.length }),
    isTerminal: true,
    env: { ...programEnv(), ...CREDENTIALS, ...ledgerEnv(workspace) },
    cwd: root,
  };
  const signal = new AbortController().signal;
  const code = exitCode(
    await runCommandLine(['node', 'registrar', ...args], io, { signal, onReload: () => {}, logTo: () => {} }),
  );
  return { code, lines };
}
