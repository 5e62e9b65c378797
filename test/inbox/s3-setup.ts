import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { UnmatchedFile } from '../../src/documents/common.js';
import { csvOf, exportRows } from '../support/exports.js';
import { type S3Server, s3Server } from '../support/s3-server.js';
import { type TestWorkspace, testWorkspace, type WorkspaceSpec } from '../support/workspace.js';

export const csv = (count: number, from = 0) => csvOf(exportRows(count, from));

/** A workspace whose source reads the server. */
export function readerOf(
  server: S3Server,
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestWorkspace> {
  return workspaceOf({ academy: { inbox: { s3: { ...server.settings, ...more } } } });
}

/** A workspace that knows the account of the server. */
export function workspaceOf(sources: NonNullable<WorkspaceSpec['sources']>): Promise<TestWorkspace> {
  return testWorkspace({ sources, env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } });
}

export async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** What a request does in a bucket with the object out/secret.csv, as a policy of Amazon names it. */
type Right = 's3:GetObject' | 's3:PutObject' | 's3:DeleteObject';

const METHODS = { GET: 's3:GetObject', PUT: 's3:PutObject', DELETE: 's3:DeleteObject' } as const;

/**
 * A port before the server, which has no policies and no end of its disk: it refuses these rights on secret.csv and its copies, and
 * tests of rights, with a status and a code of S3.
 */
export async function refusingPort(port: number) {
  const refused = new Map<Right, readonly [status: number, code: string]>();
  const front = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const [status, code] = refused.get(METHODS[method as keyof typeof METHODS]) ?? [];
    if (status !== undefined && /secret|registrar-test/.test(url)) {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${code}</Code><Message>No.</Message></Error>`);
      return;
    }
    const passed = send({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  return { endpoint: `http://127.0.0.1:${await listening(front)}`, refused };
}

export const unmatchedOf = (report: object) => (report as { unmatched: readonly UnmatchedFile[] }).unmatched;

export const DENIED = [403, 'AccessDenied'] as const;

/** A file that can't be archived, for a right is missing or the server refuses it, stays until it can, and its rows count once. */
export async function expectLeftUntilAllowed(
  right: Right,
  why: readonly [status: number, code: string],
  words: string,
): Promise<void> {
  const server = await s3Server();
  const { endpoint, refused } = await refusingPort(server.port);
  const workspace = await readerOf(server, { endpoint, originals: 'archive' });
  await server.put('out/secret.csv', csv(2));
  await server.put('out/march.csv', csv(2, 10));
  refused.set(right, why);
  const { code, report } = await workspace.run();
  expect([code, report.states.accepted]).toEqual([1, 4]);
  expect(unmatchedOf(report)).toMatchObject([
    { reason: expect.stringContaining('could not archive secret.csv: ') },
  ]);
  expect(unmatchedOf(report)[0]?.reason).toContain(words);
  expect(await server.keys()).toContain('out/secret.csv');
  const { stdout } = await workspace.cli('source', 'test', 'academy');
  expect(stdout.replace(/\s+/g, ' ')).toContain(words);
  refused.clear();
  expect((await workspace.run()).code).toBe(0);
  expect((await server.keys()).filter((key) => !key.includes('registrar-test'))).toEqual([
    'out/archive/march.csv',
    'out/archive/secret.csv',
  ]);
  expect(workspace.states()).toEqual({ accepted: 4 });
}
