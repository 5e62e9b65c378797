import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

type Certificate = 'platform' | 'other' | 'expired' | 'self-signed';

/** Of the test authority, which signed `platform`, `other` and `expired`. */
export const AUTHORITY_FILE = fileOf('authority.pem');

/** A TLS server on 127.0.0.1 with one of the certificates of `tls/`, until the test ends. Gives its port. */
export async function tlsServer(
  certificate: Certificate,
  onConnection: (socket: Socket) => void = (socket) => socket.destroy(),
): Promise<number> {
  const sockets = new Set<Socket>();
  const read = (suffix: string) => readFileSync(fileOf(`${certificate}${suffix}`));
  const server = createServer({ cert: read('.pem'), key: read('.key.pem') }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  // A client that doesn't trust the certificate ends the connection within TLS.
  server.on('tlsClientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return (server.address() as AddressInfo).port;
}

/** The same before a server of this machine that speaks plain http, such as the sandbox. */
export function tlsFront(certificate: Certificate, port: number): Promise<number> {
  return tlsServer(certificate, (socket) => {
    const behind = connect(port, '127.0.0.1');
    behind.on('error', () => socket.destroy());
    socket.on('close', () => behind.destroy());
    socket.pipe(behind).pipe(socket);
  });
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`tls/${name}`, import.meta.url));
}
