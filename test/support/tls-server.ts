import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Of the test authority, which signed `platform`, `other` and `expired`. */
export const AUTHORITY_FILE = fileURLToPath(new URL('tls/authority.pem', import.meta.url));

/** An HTTPS server on 127.0.0.1 with one of the certificates of `tls/`, until the test ends. Gives its port. */
export async function httpsServer(
  certificate: 'platform' | 'other' | 'expired' | 'self-signed',
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(500).end(),
): Promise<number> {
  const file = (suffix: string) =>
    readFileSync(fileURLToPath(new URL(`tls/${certificate}${suffix}`, import.meta.url)));
  const server = createServer({ cert: file('.pem'), key: file('.key.pem') }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}
