import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { begun, EVERY_SECOND, SELDOM, started } from '../support/lasting-service.js';
import { setSources } from '../support/set-sources.js';
import { type RunningCli, type TestWorkspace, testWorkspace, textOf, until } from '../support/workspace.js';

const SLOW = { timeout: 300_000 };

it(
  'files are imported and delivered as they arrive, without a line of the schedule, a signal ends the service, and all that it writes to stderr is lines of JSON',
  SLOW,
  async () => {
    const workspace = await testWorkspace({ sandbox: { faults: { latencyMs: 700 } } });
    const { platform } = workspace.sandbox;
    const service = await started(workspace, warningOnSignal(workspace));
    await warned(service);
    for (const n of [0, 1]) {
      workspace.drop(`drop ${n}.csv`, csvOf(exportRows(2, n * 2)));
      await until(`drop ${n} is delivered`, () => platform.completions().length === (n + 1) * 2);
    }
    workspace.drop('last.csv', csvOf(exportRows(3, 100)));
    await until('the last drop is on its way', () => workspace.posts() > 4);
    service.kill('SIGTERM');
    const { code, stdout, stderr } = await service.ended;

    expect(code).toBe(143);
    expect(stdout).toBe('');
    expectWarningAndStop(stderr);
    expect(workspace.query("select state from submission where state = 'sending'")).toEqual([]);
    expect(workspace.query('select distinct trigger from run')).toEqual([{ trigger: 'cron' }]);
    expect((await workspace.books()).balanced).toBe(true);
  },
);

it(
  'while rows are being delivered, files are imported and reports are written; a source with poll: 0s is imported by the schedule alone',
  SLOW,
  async () => {
    const workspace = await testWorkspace({
      // Some hundred seconds for the first drop.
      sandbox: { quota: { requests: 2, perMs: 1_000 } },
      sources: { academy: {}, campus: { poll: '0s' } },
      schedule: [
        { cron: '*/10 * * * * *', do: ['report'] },
        { cron: '0 0 1 1 *', do: ['run'] },
      ],
    });
    const service = await begun(workspace);
    workspace.drop('a.csv', csvOf(exportRows(3, 1_000)), 'campus');
    workspace.drop('long.csv', csvOf(exportRows(200)));
    await until('the first rows are delivered', () => workspace.posts() > 1);
    workspace.drop('short.csv', csvOf(exportRows(3, 500)));
    await expect.poll(() => workspace.states().waiting, SELDOM).toBeGreaterThan(195);
    const reports = () => workspace.files('reports').filter((name) => name.endsWith('report.html')).length;
    const before = reports();
    await expect.poll(reports, SELDOM).toBeGreaterThan(before);
    const goingOn = () => workspace.query('select run_id from run where ended_at is null').length;
    await expect.poll(goingOn, SELDOM).toBe(1);
    service.stop();
    await service.ended;
    expect(workspace.files('inbox/campus')).toEqual(['a.csv']);
    expect((await workspace.books()).balanced).toBe(true);
  },
);

it(
  'SIGHUP reads registrar.yaml again as a whole: one with a mistake changes nothing, a sound one counts at once',
  SLOW,
  async () => {
    const workspace = await testWorkspace();
    const service = await begun(workspace);
    const path = join(workspace.root, 'registrar.yaml');
    const sound = readFileSync(path, 'utf8');
    const { sources, ...others } = JSON.parse(sound);
    writeFileSync(
      path,
      JSON.stringify({ sources: [{ ...sources[0], name: 'campus' }], ...others, schedule: [{}] }),
    );
    service.reload();
    await until('the mistake is reported', () =>
      service.stderr().includes('the previous settings stay in effect'),
    );
    expect(service.stderr()).toContain('schedule[0].cron');
    workspace.drop('a.csv', csvOf(exportRows(3)));
    await until('academy is still taken in', () => workspace.sandbox.platform.completions().length === 3);

    writeFileSync(
      path,
      JSON.stringify({ sources: [...sources, { ...sources[0], name: 'campus' }], ...others }),
    );
    service.reload();
    await until('the new source is known', () => service.stderr().includes('registrar.yaml read again'));
    workspace.drop('b.csv', csvOf(exportRows(3, 10)), 'campus');
    await until('campus is taken in', () => workspace.sandbox.platform.completions().length === 6);
    service.stop();
    await service.ended;
  },
);

/** For the program where a line starts it: notes the command, which takes as long as the program would, but a tenth of a processor. */
const STAND_IN = `
import { appendFileSync } from 'node:fs';

appendFileSync(new URL('asked', import.meta.url), process.argv[2] + '\\n');
setTimeout(() => console.log('{}'), 500);
`;

it(
  'what a line of the schedule does is finished, and done once, when registrar.yaml is read again',
  SLOW,
  async () => {
    const workspace = await testWorkspace({
      schedule: [{ cron: EVERY_SECOND, timeZone: 'UTC', do: ['report', 'check'] }],
    });
    const program = join(workspace.root, 'program.mjs');
    writeFileSync(program, STAND_IN);
    writeFileSync(join(workspace.root, 'asked'), '');
    const service = await begun(workspace, program);
    const reports = () =>
      textOf(workspace, 'asked')
        .split('\n')
        .filter((command) => command === 'report').length;
    const open = () => workspace.query('select slot_at from job_slot where ended_at is null').length;
    const readAgain = () => service.stderr().split('registrar.yaml read again').length - 1;
    const path = join(workspace.root, 'registrar.yaml');
    const same = readFileSync(path, 'utf8');
    const withoutLine = JSON.stringify({ ...JSON.parse(same), schedule: [] });
    for (const [index, text] of [same, withoutLine].entries()) {
      const before = reports();
      await until('a slot has its report, and is not over', () => reports() > before && open() === 1);
      writeFileSync(path, text);
      service.reload();
      await until('registrar.yaml is read again', () => readAgain() === index + 1);
    }
    await until('its last slot is over', () => open() === 0);
    service.stop();
    await service.ended;
    expect(workspace.query('select distinct ending, tries from job_slot')).toEqual([
      { ending: 'done', tries: 1 },
    ]);
    expect(reports()).toBe(workspace.query('select slot_at from job_slot').length);
  },
);

it('a missing inbox is notified once, and its files are imported when it is back', SLOW, async () => {
  const workspace = await testWorkspace();
  const elsewhere = join(workspace.root, 'share');
  mkdirSync(elsewhere);
  setSources(workspace, { inbox: elsewhere });
  const service = await begun(workspace);
  renameSync(elsewhere, `${elsewhere} gone`);
  await until(
    'its absence is reported',
    () => service.stderr().includes('ENOENT') || service.stderr().includes(elsewhere),
  );
  renameSync(`${elsewhere} gone`, elsewhere);
  workspace.drop('a.csv', csvOf(exportRows(3)), 'academy', elsewhere);
  await until('the file is delivered', () => workspace.sandbox.platform.completions().length === 3);
  service.stop();
  const { stderr } = await service.ended;
  expect(stderr.split('\n').filter((line) => line.includes('"level":50'))).toHaveLength(1);
});

it(
  'a line that fails is reported with a remedy, the others go on, and status says when each last ran, how that ended, and when it is due next',
  SLOW,
  async () => {
    const workspace = await testWorkspace({
      schedule: [
        { cron: '*/4 * * * * *', timeZone: 'UTC', do: ['backup'], folder: 'no such folder' },
        { cron: EVERY_SECOND, timeZone: 'UTC', do: ['run'] },
        { cron: '0 3 1 1 *', timeZone: 'UTC', do: ['backup'], folder: '.' },
      ],
    });
    const lines = async () =>
      (
        JSON.parse((await workspace.cli('status', '--json')).stdout) as {
          schedule: Record<string, unknown>[];
        }
      ).schedule;
    expect(await lines()).toMatchObject(Array(3).fill({ slotAt: null, ending: null }));
    const service = await begun(workspace);
    const ended = (ending: string) =>
      workspace.query(`select 1 from job_slot where ending = '${ending}'`).length >= 1;
    await expect.poll(() => ended('failed') && ended('done'), SELDOM).toBe(true);
    service.stop();
    const { stderr } = await service.ended;
    expect(stderr).toContain('"level":50');
    expect(stderr).toContain('no such folder');
    const [failing, run, backup] = await lines();
    expect(failing).toMatchObject({ slotAt: expect.any(String), lastDoneAt: null });
    expect(run).toMatchObject({ job: 'run at * * * * * * UTC', lastDoneAt: expect.any(String) });
    expect(backup).toMatchObject({ slotAt: null, nextAt: expect.stringMatching(/-01-01T03:00:00\.000Z$/) });
    expect((await workspace.cli('status')).stdout).toMatch(
      /SCHEDULED .*NEXT\n(.*\n)?run at \* \* \* \* \* \* UTC +\S/,
    );
  },
);

it('a service whose port is in use ends with an error', SLOW, async () => {
  const workspace = await testWorkspace();
  const { port } = new URL(workspace.sandbox.url);
  const { code, stderr } = await workspace.cli('schedule', '--listen', `127.0.0.1:${port}`);
  expect(code).toBe(2);
  expect(stderr).toContain('another program listens there');
});

it(
  'all that a console writes to stderr is lines of JSON, warnings of Node and the end by a signal too; and all of a start that fails, of a service too',
  SLOW,
  async () => {
    const workspace = await testWorkspace();
    const console = workspace.startWith(
      warningOnSignal(workspace),
      ...['console', '--listen', '127.0.0.1:0'],
    );
    await until('the console is served', () => console.stderr().includes('console is served'));
    await warned(console);
    console.kill('SIGTERM');
    const { code, stderr } = await console.ended;
    expect(code).toBe(143);
    expectWarningAndStop(stderr);
    for (const command of ['schedule', 'console']) {
      const failed = await workspace.cli(command, '--listen', '127.0.0.1:0', '--workspace', 'gone');
      expect([failed.code, logOf(failed.stderr)]).toEqual([
        2,
        [expect.objectContaining({ level: 50, msg: expect.stringContaining('registrar init') })],
      ]);
    }
  },
);

/** The environment of a program that warns as Node does when SIGUSR2 comes. */
function warningOnSignal({ root }: TestWorkspace): Readonly<Record<string, string>> {
  const warning = join(root, 'warning.cjs');
  writeFileSync(warning, "process.on('SIGUSR2', () => process.emitWarning('on purpose'));\n");
  return { NODE_OPTIONS: `--require ${warning}` };
}

async function warned(program: RunningCli): Promise<void> {
  program.kill('SIGUSR2');
  await until('the warning is logged', () => program.stderr().includes('on purpose'));
}

/** Fails unless each line is JSON, one is the warning, and one says that a signal came. */
function expectWarningAndStop(stderr: string): void {
  const lines = logOf(stderr);
  expect(lines).toContainEqual(expect.objectContaining({ level: 40, name: 'Warning', msg: 'on purpose' }));
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 30, msg: expect.stringMatching(/^Stopping: /) }),
  );
}

function logOf(stderr: string): unknown[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
