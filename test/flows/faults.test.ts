import { describe, expect, it } from 'vitest';
import { parseFaults } from '../../src/sandbox/faults.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { csvOf, exportRows } from '../support/exports.js';
import { statsOf } from '../support/sandbox-stats.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';

const ROWS = 8;

const runWith = async (faults: string, more: Parameters<typeof testWorkspace>[0] = {}) => {
  const workspace = await testWorkspace({ ...more, sandbox: { faults: parseFaults(faults) } });
  workspace.drop('a.csv', csvOf(exportRows(ROWS)));
  return { workspace, ...(await workspace.run()) };
};

const triesIn = (workspace: TestWorkspace) =>
  workspace.query<{ tries: number }>('select sum(tries) as tries from submission')[0]?.tries;

describe('a fault that passes costs no row', () => {
  it.each([
    { fault: 'server-error@3x2', requests: 2, tries: 2, sentAgain: 2, writtenTwice: 0 },
    { fault: 'bad-gateway@1', requests: 1, tries: 0, sentAgain: 1, writtenTwice: 0 },
    { fault: 'throttle@4', requests: 1, tries: 0, sentAgain: 0, writtenTwice: 0 },
    { fault: 'unauthorized@5', requests: 1, tries: 0, sentAgain: 0, writtenTwice: 0 },
    { fault: 'drop-after@6', requests: 1, tries: 0, sentAgain: 1, writtenTwice: 1 },
    { fault: 'drop-before@6', requests: 1, tries: 0, sentAgain: 1, writtenTwice: 0 },
    { fault: 'tls-closed@1', requests: 0, tries: 0, sentAgain: 0, writtenTwice: 0 },
  ])(
    'under $fault every row is accepted, with $requests further requests and $tries tries spent',
    async ({ fault, requests, tries, sentAgain, writtenTwice }) => {
      const { workspace, code, report } = await runWith(fault);
      expect(code).toBe(0);
      expect(report).toMatchObject({ balanced: true, states: { accepted: ROWS, waiting: 0 } });
      expect(workspace.sandbox.platform.completions()).toHaveLength(ROWS);
      // A 401 that ended a token may meet another request that is under way with it.
      expect(report.attempts.total).toBeGreaterThanOrEqual(ROWS + requests);
      expect(report.attempts.total).toBe(workspace.posts());
      expect(triesIn(workspace)).toBe(tries);
      expect(report.attempts.repeats).toBe(sentAgain);
      expect(statsOf(workspace.sandbox.platform).repeatedWrites).toBe(writtenTwice);
    },
  );

  it('a 5xx that came after the write is counted as sent again', async () => {
    const schedule = [{ kind: 'server-error', at: 2, written: true }] as const;
    const workspace = await testWorkspace({ sandbox: { faults: { schedule } } });
    workspace.drop('a.csv', csvOf(exportRows(ROWS)));
    const { report } = await workspace.run();
    expect(report.attempts.repeats).toBe(1);
    expect(statsOf(workspace.sandbox.platform).repeatedWrites).toBe(1);
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
    const unlikeReceived = 'another sandbox takes over on its port';
    const workspace = await testWorkspace({ unlikeReceived, sandbox });
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
