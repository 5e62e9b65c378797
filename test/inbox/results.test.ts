import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type S3Server, s3Server } from '../support/s3-server.js';
import { sampled } from '../support/samples.js';
import { setSources } from '../support/set-sources.js';
import { cuttingPort, sftpServer, sharedSftpServer } from '../support/sftp-server.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { csv, longCsv, NAMES, served, sftpSender, stateOf } from './results-setup.js';

interface Checks {
  readonly checks: readonly { readonly verdict: string; readonly message: string; readonly remedy: string }[];
}

const checksOf = async (workspace: TestWorkspace) =>
  documentOf<Checks>(await workspace.cli('source', 'test', 'academy', '--json')).checks;

const sharedServer = sharedSftpServer();

describe('results on an SFTP server', { tags: ['sshd'] }, () => {
  it('are written once, by names in any script', async () => {
    const server = await sharedServer();
    const workspace = await sftpSender(server);
    workspace.drop('march.csv', csv(2));
    workspace.drop('年度 «1» $(x).csv', csv(1, 10));
    expect((await workspace.run()).code).toBe(0);
    expect(served(server)).toEqual([
      ...NAMES,
      ...NAMES.map((name) => name.replace('march', '年度 «1» $(x)').replace('-1.', '-2.')),
    ]);
    expect(JSON.parse(readFileSync(join(server.folder, 'march.csv.result-1.json'), 'utf8'))).toMatchObject({
      accepted: 2,
    });
    writeFileSync(join(server.folder, 'march.csv.result-1.json'), 'as it is');
    await workspace.run();
    expect(readFileSync(join(server.folder, 'march.csv.result-1.json'), 'utf8')).toBe('as it is');
  });

  it('wait while the server is away, and arrive as soon as it is back, without an effect on the run', async () => {
    const server = await sftpServer();
    const workspace = await sftpSender(server);
    await server.stop();
    workspace.drop('march.csv', csv(2));
    workspace.drop('april.csv', csv(2, 20));
    const { code, stderr } = await workspace.run();
    expect(code).toBe(0);
    expect(stderr).toContain("of source academy can't be reached: it refuses the connection");
    expect(await stateOf(workspace)).toMatchObject({ waiting: 2, failing: 2, since: expect.any(String) });
    await server.start();
    await workspace.run();
    expect(served(server)).toHaveLength(6);
    expect(await stateOf(workspace)).toMatchObject({ waiting: 0, failing: 0, since: null });
  });

  it.each(sampled([2_000, 3_100, 3_400, 3_800, 3_200]))(
    'that break off after %i bytes of the server leave no half file under a name',
    async (bytes) => {
      const server = await sharedServer();
      const workspace = await sftpSender(server, { port: await cuttingPort(server.port, bytes) });
      workspace.drop('march.csv', longCsv(20));
      const { stderr } = await workspace.run();
      const whole = served(server).filter((name) => !name.startsWith('.'));
      expect(whole).not.toContain('march.csv.result-1.json');
      for (const name of whole) {
        const rows = readFileSync(join(server.folder, name), 'utf8').trim().split('\r\n').length - 1;
        expect([name, rows]).toEqual([name, name.includes('accepted') ? 20 : 0]);
      }
      expect(stderr).toMatch(/closed the connection|can't be reached/);
      setSources(workspace, { results: { sftp: server.settings } });
      await workspace.run();
      expect(served(server)).toEqual(NAMES);
    },
  );

  it('need the right to write, which a test of the source finds missing', async () => {
    const server = await sftpServer({ isReadOnly: true });
    const workspace = await sftpSender(server);
    workspace.drop('march.csv', csv(2));
    const { code, stderr } = await workspace.run();
    expect([code, stderr.includes('permission denied')]).toEqual([0, true]);
    expect(stderr).not.toContain('march.csv');
    expect(await checksOf(workspace)).toMatchObject([
      { verdict: 'broken', message: expect.stringContaining('permission denied') },
    ]);
  });

  it('say nothing to a server with another host key, and name the key that is to be written down', async () => {
    const server = await sftpServer();
    const { hostKey, ...unnamed } = server.settings;
    const workspace = await testWorkspace({ sources: { academy: { results: { sftp: unnamed } } } });
    const [check] = await checksOf(workspace);
    expect(check?.remedy).toContain(`write hostKey: ${String(hostKey)}`);
    setSources(workspace, { results: { sftp: server.settings } });
    expect(await checksOf(workspace)).toMatchObject([{ verdict: 'ok' }]);
    expect(served(server)).toEqual([]);
    await server.stop();
    server.changeHostKey();
    await server.start();
    workspace.drop('march.csv', csv(2));
    const { code, stderr } = await workspace.run();
    expect([code, stderr.includes('has changed')]).toEqual([0, true]);
  });

  it('come back through the inbox on the same server', async () => {
    const server = await sharedServer();
    const inbox = { sftp: server.settings };
    const results = { sftp: { ...server.settings, folder: join(server.folder, '..') } };
    const workspace = await testWorkspace({ sources: { academy: { inbox, results } } });
    writeFileSync(join(server.folder, 'march.csv'), csv(2));
    await workspace.run();
    const written = readdirSync(join(server.folder, '..')).filter((name) => name.includes('.result-'));
    expect(written.sort()).toEqual(NAMES);
    for (const name of written) {
      writeFileSync(join(server.folder, name), readFileSync(join(server.folder, '..', name)));
    }
    const { report } = await workspace.run();
    // The inbox takes none of them, and says so of those that it would match.
    expect(report.rows).toBe(0);
    expect((report as unknown as { unmatched: { reason: string }[] }).unmatched).toMatchObject([
      { reason: expect.stringContaining('is the result of another one') },
      { reason: expect.stringContaining('is the result of another one') },
    ]);
  });
});

function bucketSender(
  server: S3Server,
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestWorkspace> {
  return testWorkspace({
    sources: { academy: { results: { s3: { ...server.settings, ...more } } } },
    env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
  });
}

describe('results in a bucket', () => {
  it('are written once; a bucket that is away makes them wait', async () => {
    const server = await s3Server();
    const workspace = await bucketSender(server, { endpoint: 'http://127.0.0.1:9' });
    workspace.drop('march.csv', csv(3));
    const { code, stdout, stderr } = await workspace.run('--verbose');
    expect(code).toBe(0);
    expect(stderr).toContain('could not write a result of source academy to http://127.0.0.1:9/exports/out');
    expect(stdout + stderr).not.toContain('S3RVER');
    expect(await stateOf(workspace)).toMatchObject({ waiting: 1, failing: 1 });
    setSources(workspace, { results: { s3: server.settings } });
    await workspace.run();
    expect(await server.keys()).toEqual(NAMES.map((name) => `out/${name}`));
    const document = JSON.parse((await server.get('out/march.csv.result-1.json')).toString()) as object;
    expect(document).toMatchObject({ accepted: 3, rows: 3 });
    expect((await server.get('out/march.csv.result-1.accepted.csv')).toString().split('\r\n')).toHaveLength(
      5,
    );
    await server.put('out/march.csv.result-1.json', 'as it is');
    await workspace.run();
    expect((await server.get('out/march.csv.result-1.json')).toString()).toBe('as it is');
  });

  it('are tried by a test of the source, which leaves nothing behind', async () => {
    const server = await s3Server();
    const workspace = await bucketSender(server);
    expect(await checksOf(workspace)).toMatchObject([
      { verdict: 'ok', message: 'takes results: a test file was written and removed' },
    ]);
    expect(await server.keys()).toEqual([]);
    setSources(workspace, { results: { s3: { ...server.settings, bucket: 'nowhere' } } });
    expect(await checksOf(workspace)).toMatchObject([
      { verdict: 'broken', message: expect.stringContaining('there is no bucket nowhere') },
    ]);
  });
});
