import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { connectProxy } from '../support/connect-proxy.js';
import { csvOf, exportRows } from '../support/exports.js';
import { runInSeries } from '../support/run-in-series.js';
import { AUTHORITY_FILE, tlsFront } from '../support/tls-server.js';
import { documentOf, type ReportDocument, testWorkspace } from '../support/workspace.js';

it('run and doctor reach the platform through a proxy with a password and a private certificate authority', async () => {
  const platform = await startSandbox({ quota: { requests: 70, perMs: 500 } });
  const port = await tlsFront('platform', platform.port);
  const proxy = await connectProxy({ credentials: 'user:a-proxy-secret' });
  const url = `https://platform.test:${port}`;
  const workspace = await testWorkspace({
    environments: { main: { baseUrl: url, authUrl: url, caFile: AUTHORITY_FILE } },
    skipReceivedCheck: 'another sandbox is behind the proxy',
  });
  const at = (password: string) => ({ HTTPS_PROXY: `http://user:${password}@127.0.0.1:${proxy.port}` });
  try {
    workspace.drop('a.csv', csvOf(exportRows(5)));
    const refused = await workspace.startWith(at('another-secret'), 'run', '--json').ended;
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(
      /the proxy makes no connection to the token host: the proxy answers CONNECT with 407/,
    );
    expect(refused.stderr).toContain(
      'Check HTTPS_PROXY (or HTTP_PROXY): its host, port, user name and password',
    );

    const lines = ['doctor --verbose', 'run --json --verbose'];
    const { ends, stderr } = await runInSeries(workspace, lines, at('a-proxy-secret'));
    const [doctor, run] = ends.map((end) => ({ ...end, stderr }));
    if (!doctor || !run) throw new Error('a command line was left out');
    expect(doctor.stdout).toMatch(/^ok +connection +main: can be reached \(https:\/\/platform\.test:\d+\)$/m);
    expect([run.code, documentOf<ReportDocument>(run).states.accepted]).toEqual([0, 5]);
    expect(platform.platform.completions()).toHaveLength(5);
    expect(new Set(proxy.targets)).toEqual(new Set([`platform.test:${port}`]));

    const kept = [
      'registrar.db',
      'registrar.db-wal',
      ...workspace.files('reports').map((file) => join('reports', file)),
    ]
      .map((file) => read(join(workspace.root, file)))
      .join('');
    for (const result of [refused, doctor, run]) {
      expect(result.stdout + result.stderr).not.toMatch(/a-proxy-secret|another-secret/);
    }
    expect(kept).not.toMatch(/a-proxy-secret|another-secret/);
  } finally {
    await platform.close();
  }
});

it('a dead man’s switch is pinged through the proxy, and trusts an authority of its own', async () => {
  const pings: string[] = [];
  const listener = createServer((request, response) => {
    pings.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void listener.close());
  const port = await tlsFront('platform', (listener.address() as AddressInfo).port);
  const proxy = await connectProxy({ credentials: 'user:a-proxy-secret' });
  const workspace = await testWorkspace();
  const file = join(workspace.root, 'registrar.yaml');
  const config = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const configure = (caFile: string) =>
    writeFileSync(
      file,
      JSON.stringify({
        ...config,
        monitor: { pings: [{ url: `https://platform.test:${port}/uuid`, caFile }] },
      }),
    );
  const env = { HTTPS_PROXY: `http://user:a-proxy-secret@127.0.0.1:${proxy.port}` };
  configure('nowhere.pem');
  const refused = await workspace.cli('run');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('monitor.pings[0].caFile "nowhere.pem" cannot be read'),
  ]);
  configure(AUTHORITY_FILE);
  const run = await workspace.startWith(env, 'run').ended;
  expect([run.code, run.stderr, pings]).toEqual([0, '', ['/uuid/start', '/uuid']]);
  expect(new Set(proxy.targets)).toEqual(new Set([`platform.test:${port}`]));
});

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
