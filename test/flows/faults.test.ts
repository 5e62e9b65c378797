import { describe, expect, it, onTestFinished } from 'vitest';
import { parseFaults } from '../../src/sandbox/faults.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { csvOf, exportRows } from '../support/exports.js';
import { statsOf } from '../support/sandbox-stats.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';

const ROWS = 8;

/** The quota of the specification with a short period. */
const QUOTA = { requests: 70, perMs: 500 };

const runWith = async (faults: string, more: Parameters<typeof testWorkspace>[0] = {}) => {
  const workspace = await testWorkspace({ ...more, sandbox: { faults: parseFaults(faults) } });
  workspace.drop('a.csv', csvOf(exportRows(ROWS)));
  return { workspace, ...(await workspace.run()) };
};

const triesIn = (workspace: TestWorkspace) =>
  workspace.query<{ tries: number }>('select sum(tries) as tries from submission')[0]?.tries;

/** Transient faults with their costs: further requests, tries, rows sent again and written twice. */
const PASSING = [
  { fault: 'server-error@3x2', requests: 2, tries: 2, sentAgain: 2, writtenTwice: 0 },
  { fault: 'bad-gateway@1', requests: 1, tries: 0, sentAgain: 1, writtenTwice: 0 },
  { fault: 'throttle@4', requests: 1, tries: 0, sentAgain: 0, writtenTwice: 0 },
  { fault: 'unauthorized@5', requests: 1, tries: 0, sentAgain: 0, writtenTwice: 0 },
  { fault: 'drop-after@6', requests: 1, tries: 0, sentAgain: 1, writtenTwice: 1 },
  { fault: 'drop-before@6', requests: 1, tries: 0, sentAgain: 1, writtenTwice: 0 },
  { fault: 'tls-closed@1', requests: 0, tries: 0, sentAgain: 0, writtenTwice: 0 },
  // Counted as sent again: it came after the write.
  { fault: 'server-error@2, written', requests: 1, tries: 1, sentAgain: 1, writtenTwice: 1 },
];

describe('a fault that passes costs no row', () => {
  it('under each of them every row is accepted, with the further requests and the tries that it costs', async () => {
    const platforms = await Promise.all(
      PASSING.map(async ({ fault, ...costs }) => {
        const name = fault.replace(/\W+/g, '-');
        const [scheduled = '', written] = fault.split(', ');
        const schedule = (parseFaults(scheduled).schedule ?? []).map((one) =>
          written === undefined ? one : { ...one, written: true },
        );
        const client = { clientId: name, clientSecret: 'sandbox-secret', scopes: ['completions:write'] };
        const sandbox = await startSandbox({ quota: QUOTA, clients: [client], faults: { schedule } });
        onTestFinished(() => sandbox.close());
        return { name, costs, sandbox };
      }),
    );
    const workspace = await testWorkspace({
      environments: Object.fromEntries(
        platforms.map(({ name, sandbox: { url } }) => [name, { baseUrl: url, authUrl: url, clientId: name }]),
      ),
      sources: Object.fromEntries(platforms.map(({ name }) => [name, { environment: name }])),
      skipReceivedCheck: 'each environment has a platform of its own',
    });
    for (const { name } of platforms) workspace.drop('a.csv', csvOf(exportRows(ROWS)), name);
    const { code, report } = await workspace.run();
    const accepted = ROWS * PASSING.length;
    expect([code, report]).toMatchObject([0, { balanced: true, states: { accepted, waiting: 0 } }]);

    const sent = workspace.query<{ name: string; tries: number; repeats: number }>(
      'select name, sum(tries) as tries, sum(repeats) as repeats from submission join environment using (environment_id) group by name',
    );
    const requests = workspace.query<{ name: string; count: number }>(
      'select environment as name, count(*) as count from attempt group by environment',
    );
    const became = platforms.map(({ name, costs, sandbox: { platform } }) => {
      const posts = platform.received.filter(({ path }) => path.startsWith('/api/')).length;
      const attempts = requests.find((one) => one.name === name)?.count ?? 0;
      const { tries, repeats: sentAgain } = sent.find((one) => one.name === name) ?? {};
      return {
        name,
        delivered: platform.completions().length,
        attempts: attempts - posts,
        // A 401 that ended a token may meet another request that is under way with it.
        requests: Math.min(attempts - ROWS, costs.requests),
        tries,
        sentAgain,
        writtenTwice: statsOf(platform).repeatedWrites,
      };
    });
    expect(became).toEqual(
      platforms.map(({ name, costs }) => ({ name, delivered: ROWS, attempts: 0, ...costs })),
    );
  });
});

describe('a fault that an administrator must fix ends the run with 4, and every row waits', () => {
  it.each([
    [
      'a web page where JSON should be',
      'html@1x100',
      /not the interface of the platform: HTTP 200 with a web page/,
    ],
    [
      'a scope that is missing',
      'forbidden@1x100',
      /needs the scope completions:write, and the platform doesn't let the client id do this/,
    ],
    ['a token that is refused again and again', 'unauthorized@1x100', /refuses the token/],
  ])('%s', async (_, fault, sentence) => {
    const { code, report, stderr } = await runWith(fault);
    expect({ code, exit: report.exit }).toEqual({ code: 4, exit: 'unavailable' });
    expect(report.states).toMatchObject({ waiting: ROWS, accepted: 0, failed: 0, 'in-doubt': 0, sending: 0 });
    expect(report.pushes.main).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringMatching(sentence),
    });
    expect(stderr).toMatch(sentence);
    expect(stderr).toContain('nothing is lost');
  });

  it('a wrong secret', async () => {
    const workspace = await testWorkspace({ env: { REGISTRAR_CLIENT_SECRET: 'not-the-right-secret' } });
    workspace.drop('a.csv', csvOf(exportRows(ROWS)));
    const { code, report, stdout, stderr } = await workspace.run();
    expect(code).toBe(4);
    expect(report.states.waiting).toBe(ROWS);
    expect(stderr).toMatch(/refuses the client id or secret/);
    expect(stdout + stderr).not.toContain('not-the-right-secret');
    expect(workspace.posts()).toBe(0);
  });

  it('5xx to everything, without end', async () => {
    const { workspace, code, report } = await runWith('server-error=1');
    expect(code).toBe(4);
    expect(report.states).toMatchObject({ waiting: ROWS, failed: 0 });
    workspace.sandbox.platform.setFaults({});
    const next = await workspace.run();
    expect({ code: next.code, accepted: next.report.states.accepted }).toEqual({ code: 0, accepted: ROWS });
  });
});

describe('a platform that is down', () => {
  it('leaves every row waiting within the outage allowed, and the run after it is back delivers them', async () => {
    // Below the ports that the system gives out: a sandbox of another test would get this one while it is free.
    const sandbox = { port: 20_000 + (process.pid % 10_000) };
    const skipReceivedCheck = 'another sandbox takes over on its port';
    const workspace = await testWorkspace({ skipReceivedCheck, sandbox });
    await workspace.sandbox.close();
    workspace.drop('a.csv', csvOf(exportRows(ROWS)));
    const down = await workspace.run();
    expect({ code: down.code, exit: down.report.exit }).toEqual({ code: 4, exit: 'unavailable' });
    expect(down.report.states).toMatchObject({ waiting: ROWS, failed: 0, accepted: 0 });
    expect(down.stderr).toMatch(/Environment main can't be used since .*ECONNREFUSED.*nothing is lost/);

    const back = await startSandbox({ port: workspace.sandbox.port });
    try {
      const { code, report } = await workspace.run();
      expect({ code, accepted: report.states.accepted }).toEqual({ code: 0, accepted: ROWS });
      expect(back.platform.completions()).toHaveLength(ROWS);
    } finally {
      await back.close();
    }
  });

  it('costs a single row no try either, though its token is still good', async () => {
    const closed = await startSandbox();
    await closed.close();
    const workspace = await testWorkspace({ environments: { main: { baseUrl: closed.url } } });
    workspace.drop('a.csv', csvOf(exportRows(1)));
    const { code, report } = await workspace.run();
    expect(code).toBe(4);
    expect(report.states).toMatchObject({ waiting: 1, failed: 0 });
    expect(triesIn(workspace)).toBe(0);
  });

  it('never stops another environment', async () => {
    const closed = await startSandbox();
    await closed.close();
    const workspace = await testWorkspace({
      environments: {
        main: {},
        down: { baseUrl: closed.url, authUrl: closed.url, clientId: 'another' },
      },
      sources: { academy: {}, campus: { environment: 'down' } },
    });
    workspace.drop('a.csv', csvOf(exportRows(5)), 'academy');
    workspace.drop('b.csv', csvOf(exportRows(5, 5)), 'campus');
    const { code, report } = await workspace.run();
    expect(code).toBe(4);
    expect(report.states).toMatchObject({ accepted: 5, waiting: 5 });
    expect(report.pushes).toMatchObject({ main: { kind: 'drained' }, down: { kind: 'unavailable' } });
  });
});
