import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** The platform's words, wherever an answer has room for them. */
export interface PlatformWords {
  readonly detail: string;
  readonly title: string;
  readonly code: string;
  readonly source: string;
  readonly id: string;
}

/**
 * A platform that takes every record, but not one with `refused` or `unknown` in it: these it refuses with the given words, the
 * second for the sake of the learner. Until the test ends.
 */
export async function wordyPlatform(words: PlatformWords): Promise<{ readonly url: string }> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = (status: number, document: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document));
    };
    if (request.url?.endsWith('/oauth/token') === true)
      return answer(200, { access_token: 'token', token_type: 'bearer', expires_in: 3600 });
    const isUnknown = body.includes('unknown');
    if (!isUnknown && !body.includes('refused')) return answer(201, { data: { id: words.id } });
    const detail = isUnknown ? `Invalid user identifier: ${words.detail}` : words.detail;
    return answer(400, { errors: [{ ...words, detail, status: '400' }], heard: body, words });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
