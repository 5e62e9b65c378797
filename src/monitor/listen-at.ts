import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ListenAddress, listenText } from '../config/values/network/listen-address.js';
import { OperatorError } from '../domain/operator-error.js';

/**
 * Has a server listen, and returns its port. Throws OperatorError where it can't listen there.
 * @param about what can't be done then, and what to do: plain sentences.
 */
export async function listenAt(
  server: Server,
  listen: ListenAddress,
  about: { readonly operation: string; readonly hint: string },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    // Also later, after the start: a connection that can't be accepted ends no service.
    server.on('error', (error: NodeJS.ErrnoException) => {
      const where = listenText(listen);
      const message = `can't listen at ${where}: ${LISTEN_WORDS.get(error.code ?? '') ?? error.message}`;
      reject(new OperatorError({ ...about, subject: where, message, cause: error }));
    });
    server.listen(listen, resolve);
  });
  return (server.address() as AddressInfo).port;
}

const LISTEN_WORDS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program listens there'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['EACCES', 'this user may not use that port'],
  ['ENOTFOUND', 'no machine has that name'],
]);
