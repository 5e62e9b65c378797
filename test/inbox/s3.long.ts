import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largeCsv } from '../support/exports.js';
import { s3Server } from '../support/s3-server.js';
import { sampled, samples } from '../support/samples.js';
import { setSources } from '../support/set-sources.js';
import { cuttingPort } from '../support/sftp-server.js';
import { DENIED, expectLeftUntilAllowed, readerOf } from './s3-setup.js';

describe('a bucket that can not be used', () => {
  it('because it breaks off at any byte costs no row, and no half file comes in', async () => {
    const server = await s3Server();
    await server.put('out/march.csv', largeCsv(50));
    // As the answers begin, and within the object.
    const examples = [...sampled([500, 3_000]), 300_000].map((bytes): [number] => [bytes]);
    const isBroken = fc.asyncProperty(fc.integer({ min: 0, max: 500_000 }), async (bytes) => {
      const port = await cuttingPort(server.port, bytes);
      const workspace = await readerOf(server, { endpoint: `http://127.0.0.1:${port}` });
      const broken = await workspace.run('--no-push');
      expect([broken.code, broken.report.rows]).toEqual([74, 0]);
      expect(workspace.files('inbox')).toEqual([]);
      setSources(workspace, { inbox: { s3: server.settings } });
      expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(50);
    });
    await fc.assert(isBroken, { examples, numRuns: examples.length + samples(4) });
  });
});

describe('an object that the account has no right to', () => {
  it('be deleted stays until it may be, is archived once, and its rows count once', async () => {
    await expectLeftUntilAllowed('s3:DeleteObject', DENIED, 'access denied (AccessDenied)');
  });

  it('be copied, for the disk is full stays until it may be, is archived once, and its rows count once', async () => {
    // As MinIO says it.
    const full = [507, 'XMinioStorageFull'] as const;
    await expectLeftUntilAllowed('s3:PutObject', full, 'HTTP 507 (XMinioStorageFull)');
  });
});
