import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy that opens tunnels on 127.0.0.1, until the test ends. */
export interface ConnectProxy {
  readonly port: number;
  /** The target of each CONNECT, `host:port`, in order; refused ones too. */
  readonly targets: readonly string[];
}

/**
 * Starts it. Whatever the host, the tunnel leads to that port of this machine: names need no address here.
 * @param options `credentials`: `user:password` that it wants; absent: none. `instead`: what it does otherwise: never answer, close the connection, or refuse with a status.
 * `speaksFirst`: the server does, and its first words come in one packet with the proxy's answer.
 */
export async function connectProxy(
  options: {
    readonly credentials?: string;
    readonly instead?: 'silent' | 'close' | number;
    readonly speaksFirst?: boolean;
  } = {},
): Promise<ConnectProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = options.credentials && `Basic ${Buffer.from(options.credentials).toString('base64')}`;
  // It handles no request without a tunnel.
  const server = createServer((_, response) => void response.writeHead(405).end());
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('connect', (request, socket: Socket) => {
    targets.push(request.url ?? '');
    const refuse = (status: number) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    if (options.instead === 'silent') return;
    if (options.instead === 'close') return void socket.destroy();
    if (options.instead !== undefined) return refuse(options.instead);
    if (wanted && request.headers['proxy-authorization'] !== wanted) return refuse(407);
    const port = Number((request.url ?? '').split(':').at(-1));
    const target = connect(port, '127.0.0.1');
    const open = (head: Buffer) => {
      socket.write(Buffer.concat([Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'), head]));
      target.pipe(socket).pipe(target);
    };
    if (options.speaksFirst) target.once('data', (head: Buffer) => open(head));
    else target.once('connect', () => open(Buffer.alloc(0)));
    sockets.add(target);
    target.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return { port: (server.address() as AddressInfo).port, targets };
}
