import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordDecision } from '../../src/ledger/decisions/decision-log.js';
import { takeLease } from '../../src/ledger/leases/leases.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRows } from '../support/exports.js';
import { onlyForFiles } from '../support/only-for-files.js';
import { documentOf, type TestWorkspace, testWorkspace, type WorkspaceSpec } from '../support/workspace.js';
import { tamper, withLedger } from '../support/workspace-ledger.js';

interface DoctorDocument {
  readonly broken: number;
  readonly attention: number;
  readonly checks: readonly {
    readonly check: string;
    readonly subject: string;
    readonly verdict: string;
    readonly message: string;
    readonly remedy: string;
  }[];
}

async function examined(workspace: TestWorkspace, ...args: string[]) {
  const result = await workspace.cli('doctor', '--json', ...args);
  const document = documentOf<DoctorDocument>(result);
  const found = (verdict: string) =>
    document.checks
      .filter((one) => one.verdict === verdict)
      .map(({ check, message }) => `${check}: ${message}`);
  return { ...result, document, broken: found('broken'), attention: found('attention'), ok: found('ok') };
}

async function delivered(spec: WorkspaceSpec = {}): Promise<TestWorkspace> {
  const workspace = await testWorkspace(spec);
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.run();
  return workspace;
}

/** Several processes, each of which takes seconds on a busy machine. */
const SLOW = { timeout: 300_000 };

describe('registrar doctor', () => {
  it(
    'finds a sound workspace sound, requests a token for each environment, and shows no secret',
    SLOW,
    async () => {
      const workspace = await testWorkspace({ hasNoLedger: true, environments: { main: {}, other: {} } });
      const before = await examined(workspace, '--offline');
      expect([before.code, before.broken]).toEqual([0, []]);
      expect(workspace.files('.')).toEqual(['registrar.yaml']);
      expect(workspace.sandbox.platform.received).toEqual([]);

      workspace.drop('a.csv', csvOf(exportRows(3)));
      await workspace.run();
      const requestCount = workspace.sandbox.platform.received.length;
      const { code, document, broken, stdout } = await examined(workspace);
      expect([code, broken, document.attention]).toEqual([0, [], 0]);
      const tokens = document.checks.filter(({ check }) => check === 'token');
      expect(tokens).toMatchObject([
        { subject: 'main', verdict: 'ok' },
        { subject: 'other', verdict: 'ok' },
      ]);
      const requests = workspace.sandbox.platform.received.slice(requestCount);
      const [token, probe] = ['POST /oauth/token 200', 'GET /api/v2/completions 405'];
      expect(requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
        token,
        probe,
        token,
        probe,
      ]);
      expect(requests.some(({ written }) => written)).toBe(false);
      expect(stdout).not.toMatch(/sandbox-secret|sandbox-\d+-[0-9a-f]{32}/);
      const lines = await workspace.cli('doctor', '--offline');
      expect(lines.stdout.split('\n').filter((line) => line !== '' && !/^ok {9}/.test(line))).toEqual([]);
    },
  );

  it(
    'ends with 4 and names the environment whose credentials or host are wrong, also without a connection',
    SLOW,
    async () => {
      const workspace = await testWorkspace({
        environments: { main: {}, wrong: { clientId: 'nobody' }, gone: { authUrl: 'http://127.0.0.1:9' } },
      });
      const { code, document } = await examined(workspace);
      expect(code).toBe(4);
      expect(document.checks.filter(({ check }) => check === 'token')).toMatchObject([
        { subject: 'main', verdict: 'ok' },
        {
          subject: 'wrong',
          verdict: 'broken',
          message: expect.stringMatching(/refuses the client id or secret/),
        },
        { subject: 'gone', verdict: 'broken', message: expect.stringMatching(/gives no token/) },
      ]);
    },
  );

  it('counts the token in the quota', SLOW, async () => {
    const workspace = await testWorkspace({ environments: { main: { deadline: '100ms' } } });
    await examined(workspace);
    expect(workspace.query("select count(*) as n from permit where purpose = 'token'")).toEqual([{ n: 1 }]);
  });

  it('ends with 2 for a wrong configuration, and looks at everything else all the same', SLOW, async () => {
    const workspace = await delivered();
    const path = join(workspace.root, 'registrar.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"submit-completion"', '"submit"'));
    const { code, broken, ok } = await examined(workspace);
    expect(code).toBe(2);
    expect(broken).toEqual([expect.stringMatching(/^configuration: .*operation/)]);
    expect(ok.join()).toContain('its books balance');
  });

  it('ends with 3 for books that do not balance', SLOW, async () => {
    const workspace = await delivered({ skipReceivedCheck: 'its books are wrong' });
    await tamper(workspace, 'update drop_file set rows_read = rows_read + 1');
    const unbalanced = await examined(workspace, '--offline');
    expect([unbalanced.code, unbalanced.broken]).toEqual([
      3,
      [expect.stringMatching(/^ledger: .*books don't balance/), "health: The books don't balance (1 file)."],
    ]);
  });

  it('ends with 74 for a ledger that is damaged', { ...SLOW, ...onlyForFiles('its bytes') }, async () => {
    const workspace = await delivered({ skipReceivedCheck: 'its ledger cannot be read' });
    const path = join(workspace.root, 'registrar.db');
    writeFileSync(path, readFileSync(path).fill(0x55, 0, 20_000));
    const damaged = await examined(workspace);
    expect([damaged.code, damaged.broken]).toEqual([74, [expect.stringContaining('is damaged')]]);
    expect(damaged.attention).toEqual([expect.stringContaining('skipped: ')]);
  });

  it(
    'says what dead processes and interrupted commands have left, with the command for it',
    SLOW,
    async () => {
      const workspace = await delivered();
      await withLedger(workspace, async (ledger) => {
        // A pid beyond the largest that Linux gives.
        await takeLease(ledger, 'stage', { id: 'dead', pid: 4_194_305, pidStarted: null, host: 'x' }, null);
        await recordDecision(ledger, { kind: 'purge', who: decider('test'), because: null, selection: {} });
      });
      await tamper(
        workspace,
        "update lease set boot = 'an earlier boot', expires_mono_ms = 0 where name = 'stage'",
      );
      writeFileSync(join(workspace.root, 'processing', 'academy', '0123abcd-left.csv'), 'x');
      chmodSync(join(workspace.root, 'archive'), 0o755);
      const isFile = workspace.database === null;
      if (isFile) chmodSync(join(workspace.root, 'registrar.db'), 0o644);
      const { code, document } = await examined(workspace, '--offline');
      expect(code).toBe(0);
      const attention = document.checks.filter(({ verdict }) => verdict === 'attention');
      expect(attention.map(({ check, message, remedy }) => `${check}: ${message}. ${remedy}`)).toEqual([
        expect.stringMatching(/^folder: .*chmod 700 .*archive/),
        ...(isFile ? [expect.stringMatching(/^ledger: .*chmod 600/)] : []),
        expect.stringMatching(/^lease: process 4194305 held it and is gone.*next registrar run/),
        expect.stringMatching(
          /^health: The import of 1 file of source academy was interrupted\..*registrar run/,
        ),
        expect.stringMatching(/^health: Decision 1 \(purge\) is carried out in part.*registrar run/),
      ]);
    },
  );

  it('ends with 74 where an inbox is not there', SLOW, async () => {
    const workspace = await testWorkspace({
      hasNoLedger: true,
      sources: { academy: { inbox: '/nowhere/at/all' } },
    });
    const { code, broken } = await examined(workspace, '--offline');
    // A database has a ledger before the first run, whose health is looked at.
    const inHealth = workspace.database === null ? [] : [expect.stringMatching(/^health: The inbox of /)];
    expect([code, broken]).toEqual([74, ['folder: is not there', ...inHealth]]);
    rmSync(join(workspace.root, 'processing'), { recursive: true, force: true });
    expect((await examined(workspace, '--offline')).code).toBe(74);
  });
});
