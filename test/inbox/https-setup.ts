import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { csvOf, exportRows } from '../support/exports.js';
import type { HttpsServer } from '../support/https-server.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';

export const csv = (count: number, from = 0) => csvOf(exportRows(count, from));

/** A workspace whose source reads the server. */
export function readerOf(
  server: HttpsServer,
  more: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<TestWorkspace> {
  return testWorkspace({ sources: { academy: { inbox: { https: { ...server.settings, ...more } } } }, env });
}

/** Answers as a careful server does: 304 where the client has this version. */
export function conditional(text: string | Buffer, by: 'etag' | 'date') {
  const etag = `"${createHash('sha1').update(text).digest('hex')}"`;
  const modified = new Date(1_700_000_000_000 + text.length * 1_000).toUTCString();
  return (request: IncomingMessage, response: ServerResponse) => {
    const { 'if-none-match': none, 'if-modified-since': since } = request.headers;
    if (by === 'etag' ? none === etag : since === modified) response.writeHead(304).end();
    else response.writeHead(200, by === 'etag' ? { etag } : { 'last-modified': modified }).end(text);
  };
}
