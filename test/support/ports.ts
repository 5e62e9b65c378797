import { connect, createServer } from 'node:net';

/** A free port of this machine. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Resolves once a port of this machine accepts connections. */
export async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1');
      socket
        .once('connect', () => {
          socket.destroy();
          done(true);
        })
        .once('error', () => done(false));
    });
    if (isOpen) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`no server answers at port ${port}`);
}
