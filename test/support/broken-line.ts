import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A line to a server of this machine that can be cut: then connections are refused before a byte is sent. */
export interface BrokenLine {
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** @param port of the server behind the line. */
export async function brokenLine(port: number): Promise<BrokenLine> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  });
  const listen = (at: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
  const own = await listen(0);
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(async () => {
    if (server.listening) await cut();
  });
  return { url: `http://127.0.0.1:${own}`, cut, mend: async () => void (await listen(own)) };
}
