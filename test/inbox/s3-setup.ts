import { csvOf, exportRows } from '../support/exports.js';
import type { S3Server } from '../support/s3-server.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';

export const csv = (count: number, from = 0) => csvOf(exportRows(count, from));

/** A workspace whose source reads the server. */
export function readerOf(
  server: S3Server,
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestWorkspace> {
  return testWorkspace({
    sources: { academy: { inbox: { s3: { ...server.settings, ...more } } } },
    env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
  });
}
