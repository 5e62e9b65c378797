import { expect, it } from 'vitest';
import { connectProxy } from '../support/connect-proxy.js';
import { csvOf, exportRows } from '../support/exports.js';
import { s3Server } from '../support/s3-server.js';
import { AUTHORITY_FILE, tlsFront } from '../support/tls-server.js';
import { documentOf, type ReportDocument, testWorkspace } from '../support/workspace.js';

it('files of a bucket, and results to it, go through the proxy', async () => {
  const server = await s3Server();
  const port = await tlsFront('platform', server.port);
  const proxy = await connectProxy({ credentials: 'user:a-proxy-secret' });
  const s3 = { ...server.settings, endpoint: `https://platform.test:${port}` };
  const workspace = await testWorkspace({
    sources: {
      academy: { inbox: { s3: { ...s3, originals: 'archive' } }, results: { s3: { ...s3, prefix: 'back' } } },
    },
  });
  await server.put('out/march.csv', csvOf(exportRows(3)));
  const env = {
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    NODE_EXTRA_CA_CERTS: AUTHORITY_FILE,
  };
  const at = (password: string) => ({ HTTPS_PROXY: `http://user:${password}@127.0.0.1:${proxy.port}` });
  const refused = await workspace.startWith({ ...env, ...at('another-secret') }, 'run', '--json').ended;
  expect(refused.code).toBe(74);
  expect(refused.stderr).toContain('for source academy: the proxy answers CONNECT with 407');
  const run = await workspace.startWith({ ...env, ...at('a-proxy-secret') }, 'run', '--json', '--verbose')
    .ended;
  expect([run.code, documentOf<ReportDocument>(run).states.accepted]).toEqual([0, 3]);
  expect(await server.keys()).toEqual([
    'back/march.csv.result-1.accepted.csv',
    'back/march.csv.result-1.json',
    'back/march.csv.result-1.refused.csv',
    'out/archive/march.csv',
  ]);
  expect(new Set(proxy.targets)).toEqual(new Set([`platform.test:${port}`]));
  for (const { stdout, stderr } of [refused, run])
    expect(stdout + stderr).not.toMatch(/proxy-secret|another-secret/);
});
