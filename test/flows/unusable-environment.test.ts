import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLease } from '../../src/ledger/leases/leases.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { csvOf, exportRows } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { documentOf, type TestWorkspace, testWorkspace, textOf, until } from '../support/workspace.js';
import { withLedger } from '../support/workspace-ledger.js';

const ROWS = 5;
/** Abandoned as soon as possible: the report is the same. */
const IMPATIENT = { outage: '200ms' };
const RIGHT = { REGISTRAR_CLIENT_SECRET: 'sandbox-secret' };

interface Outage {
  readonly environment: string;
  readonly operation: string | null;
  readonly since: string;
  readonly endedAt: string | null;
  readonly runs: number;
  readonly code: string;
  readonly reason: string;
  readonly remedy: string;
  readonly waiting: number;
}

interface WithOutages {
  readonly outages: readonly Outage[];
  readonly reportFolder: string | null;
}

const WRONG_SECRET = {
  environments: { main: IMPATIENT },
  env: { REGISTRAR_CLIENT_SECRET: 'not-the-right-secret' },
};

/** A workspace whose secret is wrong, with rows to deliver. */
async function withWrongSecret(root?: string): Promise<TestWorkspace> {
  const workspace = await testWorkspace(root === undefined ? WRONG_SECRET : { ...WRONG_SECRET, root });
  workspace.drop('a.csv', csvOf(exportRows(ROWS)));
  return workspace;
}

let firstRun: Awaited<ReturnType<typeof runJson>>;

const copy = preparedWorkspace(async (root) => {
  const workspace = await withWrongSecret(root);
  firstRun = await runJson(workspace);
  return workspace;
});

/** The same after its first run, which is made once. */
const afterFirstRun = () => copy(WRONG_SECRET);

const status = async (workspace: TestWorkspace) =>
  documentOf<WithOutages>(await workspace.cli('status', '--json'));

const runJson = async (workspace: TestWorkspace, env: Readonly<Record<string, string>> = {}) => {
  const result = await workspace.cliWith(env, 'run', '--json');
  return { ...result, document: documentOf<WithOutages>(result) };
};

const folders = (workspace: TestWorkspace) =>
  workspace.files('reports').filter((file) => basename(file) === 'report.html').length;

/** Words of the all-clear, in any rendering. */
const CALM = /nothing<\/data> needs attention|nothing needs attention/i;

describe('an environment that can’t be used', () => {
  it('is never followed by “nothing needs attention”: not on the page, in the report, in status', async () => {
    const workspace = await afterFirstRun();
    const { code, document } = firstRun;
    expect(code).toBe(4);
    const folder = join('reports', basename(document.reportFolder ?? ''));
    const page = textOf(workspace, join(folder, 'report.html'));
    const text = textOf(workspace, join(folder, 'report.txt'));
    const shown = (await workspace.cli('status')).stdout;
    for (const output of [page, text, shown]) expect(output).not.toMatch(CALM);
    expect(page).toMatch(
      /<div class="verdict failed" id="verdict" data-part><span class="glyph" aria-hidden="true">⊘/,
    );
    expect(page).toMatch(
      /<h1>Environment main can&#39;t be used, and <data [^>]*>5<\/data> rows wait for it/,
    );
    expect(page).toMatch(/<li class="broken"><b>Environment main can&#39;t be used\.<\/b>/);
    expect(text).toMatch(/^The books balance\. Environment main can't be used, and 5 rows wait for it\.$/m);
    expect(text.replaceAll('\n  ', ' ')).toMatch(
      /HTTP 4\d\d to a request for the scope .*oauth\/token\)\. 5 rows wait for it/,
    );
    expect(shown).toMatch(/^5 rows wait for main: .* once it can be used; /m);
    expect(shown).toMatch(/Environment main can't be used since/);
    expect(shown).toMatch(/> Check clientId and clientSecret of environments\.main/);
    expect(page + text + shown).not.toContain('not-the-right-secret');
  });

  it('is reported on stderr with --quiet too, which is what cron mails: which, since when, why, how many, what to do', async () => {
    const workspace = await testWorkspace({
      environments: { main: IMPATIENT },
      skipReceivedCheck: 'it is closed',
    });
    await workspace.sandbox.close();
    workspace.drop('a.csv', csvOf(exportRows(ROWS)));
    const { code, stdout, stderr } = await workspace.cli('run', '--quiet');
    expect([code, stdout]).toEqual([4, '']);
    const address = `${workspace.sandbox.url}/oauth/token`;
    const fault = `connect ECONNREFUSED 127.0.0.1:${workspace.sandbox.port} (${address})`;
    expect(stderr).toMatch(
      /^Environment main can't be used since \w{3} \d\d \w+ \d\d:\d\d .*: the token host refuses/,
    );
    expect(stderr).toContain(fault);
    expect(stderr).toContain('. 5 rows wait for it; nothing is lost.\n> Nothing listens at');
    expect(stderr).not.toContain('no sound answer');
    expect((await status(workspace)).outages).toMatchObject([
      { environment: 'main', operation: null, code: 'connection-refused', runs: 1, waiting: ROWS },
    ]);
  });

  it('keeps the time it began over further runs, without a folder for each, and ends with a sound answer', async () => {
    const workspace = await afterFirstRun();
    const first = firstRun.document;
    const second = await runJson(workspace);
    expect(second.code).toBe(4);
    expect(second.stderr).toMatch(/can't be used since .* \(2 runs\): .*refuses the client id or secret/);
    expect(second.document.outages).toMatchObject([
      { since: first.outages[0]?.since, runs: 2, endedAt: null },
    ]);
    expect(second.document.reportFolder).toBeNull();
    expect(folders(workspace)).toBe(1);

    const recovered = await runJson(workspace, RIGHT);
    expect([recovered.code, recovered.document.outages]).toEqual([0, []]);
    expect((await workspace.cli('status')).stdout).toContain('Nothing needs attention.');
    const ago = documentOf<WithOutages>(await workspace.cli('report', '--run', '1', '--json')).outages;
    expect(ago).toMatchObject([{ code: 'credentials', endedAt: expect.any(String), waiting: 0 }]);
  });

  it('is shown with its latest cause by a run that leaves no folder', async () => {
    const workspace = await afterFirstRun();
    await workspace.sandbox.close();
    const changed = (await runJson(workspace)).document;
    expect(changed.outages).toMatchObject([{ code: 'connection-refused', runs: 2 }]);
    expect([changed.reportFolder, folders(workspace)]).toEqual([null, 1]);
  });

  it('is found by a run that --max-duration ends early: no outage stays hidden', async () => {
    const workspace = await testWorkspace({ environments: { main: { outage: '10m' } } });
    await workspace.sandbox.close();
    workspace.drop('a.csv', csvOf(exportRows(ROWS)));
    const { code, report } = await workspace.run('--max-duration', '1s');
    expect([code, report.pushes.main?.kind]).toEqual([4, 'unavailable']);
    expect((await status(workspace)).outages).toMatchObject([{ code: 'connection-refused' }]);
  });

  it('is one operation where only its scope is missing, and that one alone', async () => {
    const client = {
      clientId: 'sandbox-client',
      clientSecret: 'sandbox-secret',
      scopes: ['completions:write'],
    };
    const workspace = await testWorkspace({
      sources: { academy: {}, created: { operation: 'create-course' } },
      sandbox: { clients: [client] },
    });
    workspace.drop('c.csv', 'Course ID,Title\nC-1,Fire\n', 'created');
    workspace.drop('a.csv', csvOf(exportRows(2)));
    const { document } = await runJson(workspace);
    expect(document.outages).toMatchObject([
      {
        operation: 'create-course',
        code: 'scope',
        waiting: 1,
        reason: expect.stringMatching(/content:write/),
      },
    ]);
    expect((await workspace.cli('status')).stdout).toContain("Environment main doesn't accept create-course");
  });

  it('is shown by a run whose rows wait for it, although another process delivers', async () => {
    const workspace = await afterFirstRun();
    workspace.drop('b.csv', csvOf(exportRows(3, 50)));
    const { document, stderr } = await withLedger(workspace, async (ledger) => {
      await takeLease(ledger, 'push:main', thisProcess(), null);
      return runJson(workspace);
    });
    expect(document.outages).toMatchObject([{ waiting: ROWS + 3, runs: 1 }]);
    expect(stderr).toContain("Environment main can't be used since");
  });

  it('is dropped once registrar.yaml no longer has the environment and nothing waits', async () => {
    const down = await startSandbox();
    await down.close();
    const workspace = await testWorkspace({
      environments: { main: {}, gone: { ...IMPATIENT, baseUrl: down.url, authUrl: down.url, clientId: 'x' } },
      sources: { academy: {}, campus: { environment: 'gone' } },
    });
    workspace.drop('b.csv', csvOf(exportRows(1)), 'campus');
    await runJson(workspace);
    const path = join(workspace.root, 'registrar.yaml');
    const config = JSON.parse(readFileSync(path, 'utf8'));
    delete config.environments.gone;
    config.sources = config.sources.filter(({ name }: { name: string }) => name === 'academy');
    writeFileSync(path, JSON.stringify(config));
    await workspace.cli('run');
    expect((await status(workspace)).outages).toEqual([]);
    expect(workspace.query('select count(*) as n from outage where ended_at is null')).toEqual([{ n: 0 }]);
  });
});

it('a run says once why an environment can’t be used, whatever its output goes to', async () => {
  const workspace = await withWrongSecret();
  const why = (text: string) => text.match(/can't be used since/g)?.length ?? 0;
  const first = await workspace.cli('run');
  const second = await workspace.cli('run');
  const quiet = await workspace.cli('run', '--quiet');
  const document = await workspace.cli('run', '--json');
  const printed = [first, second, quiet, document].map(({ stdout, stderr }) => why(stdout) + why(stderr));
  expect(printed).toEqual([1, 1, 1, 1]);
});

it('the scheduler logs an environment that can’t be used as an error: which, since when, why, what to do', async () => {
  const workspace = await testWorkspace({
    env: { REGISTRAR_CLIENT_SECRET: 'not-the-right-secret' },
    schedule: [{ cron: '* * * * * *', do: ['run'] }],
  });
  workspace.drop('a.csv', csvOf(exportRows(ROWS)));
  const daemon = workspace.begin('schedule', '--quiet');
  const errors = () =>
    daemon
      .stderr()
      .split('\n')
      .filter((line) => line.startsWith('{"level":50'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  await until('two runs have reported it', () => errors().length >= 2);
  daemon.stop();
  await daemon.ended;
  const [first, second] = errors();
  expect(first).toMatchObject({
    environment: 'main',
    code: 'credentials',
    waiting: ROWS,
    msg: expect.stringMatching(/^environment main can't be used: .*\/oauth\/token\)$/),
    hint: expect.stringContaining('Check clientId and clientSecret'),
  });
  expect(second?.since).toBe(first?.since);
});

it('many 429s are one line of the log: the first pause', async () => {
  const schedule = [{ kind: 'throttle', at: 2, times: 6 }] as const;
  const workspace = await testWorkspace({
    sandbox: { faults: { schedule } },
    environments: { main: { outage: '1m' } },
  });
  workspace.drop('a.csv', csvOf(exportRows(5)));
  const { code, stderr } = await workspace.cli('run');
  expect(code).toBe(0);
  const [first, ...others] = stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(others).toEqual([]);
  expect(JSON.parse(first ?? '')).toMatchObject({ msg: 'pushing paused', environment: 'main' });
});
