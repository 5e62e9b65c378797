import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A line to a server of this machine that can be cut: then connections are refused before a byte is sent. */
export interface BrokenLine {
  readonly url: string;
  readonly port: number;
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** From now on no byte gets through, without notice: connections stay open, and new ones are accepted. */
  stall(): void;
  /** Bytes get through again, those that have waited first. */
  flow(): void;
  /** When the latest bytes came for the server, in milliseconds since 1970; null: none has. */
  usedAtMs(): number | null;
}

/** @param port of the server behind the line. */
export async function brokenLine(port: number): Promise<BrokenLine> {
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  let isStalled = false;
  let usedAtMs: number | null = null;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.on('data', () => {
      usedAtMs = Date.now();
    });
    if (isStalled) near.pause();
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      const pair = [one, other] as const;
      pairs.add(pair);
      one.on('close', () => {
        sockets.delete(one);
        pairs.delete(pair);
        other.destroy();
      });
      one.on('error', () => other.destroy());
      if (!isStalled) one.pipe(other);
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
  return {
    url: `http://127.0.0.1:${own}`,
    port: own,
    cut,
    restore: async () => void (await listen(own)),
    stall() {
      isStalled = true;
      for (const [one, other] of pairs) one.unpipe(other).pause();
    },
    flow() {
      // Piped twice, each byte would arrive twice.
      if (!isStalled) return;
      isStalled = false;
      for (const [one, other] of pairs) one.pipe(other);
    },
    usedAtMs: () => usedAtMs,
  };
}
