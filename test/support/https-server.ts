import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** An HTTPS server on loopback with a certificate that it has signed itself; gone when the test ends. */
export interface HttpsServer {
  readonly port: number;
  /** `inbox.https` of a source that reads /out/march.csv of it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The requests so far. */
  readonly requests: IncomingMessage[];
  /** Its answer from now on. */
  answer(how: (request: IncomingMessage, response: ServerResponse) => void): void;
  stop(): Promise<void>;
}

export async function httpsServer(): Promise<HttpsServer> {
  const requests: IncomingMessage[] = [];
  let how: Parameters<HttpsServer['answer']>[0] = (_, response) => void response.writeHead(404).end();
  const read = (name: string) => readFileSync(fileOf(name));
  const server = createServer(
    { cert: read('self-signed.pem'), key: read('self-signed.key.pem') },
    (request, response) => {
      requests.push(request);
      how(request, response);
    },
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return {
    port,
    settings: { url: `https://127.0.0.1:${port}/out/march.csv`, caFile: fileOf('self-signed.pem') },
    requests,
    answer(next) {
      how = next;
    },
    stop,
  };
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`tls/${name}`, import.meta.url));
}
