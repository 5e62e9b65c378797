import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import ssh2, { type ConnectConfig, type SFTPWrapper } from 'ssh2';
import { unreadableReason } from '../config/values/secret-file.js';
import type { RemoteAddress, SftpServer } from './remote-inbox.js';
import { awayHint, type RemoteFault, reasonOf, sourceFault } from './remote-place.js';

type SftpUser = Pick<RemoteAddress, 'source'> & { readonly sftp: SftpServer };

export interface SftpConnection {
  /** Rejects with the server's error, and with a fault of the source when the connection ends. */
  call<T>(begin: (sftp: SFTPWrapper, done: (error?: unknown, result?: T) => void) => unknown): Promise<T>;
  close(): void;
}

/** A server that takes longer to sign in counts as away. */
const READY_MS = 20_000;

/** A connection that has died without a word is noticed after three of these. */
const KEEPALIVE_MS = 10_000;

const CONNECT = 'connect to the SFTP server';

/** Compares the server's key before sending credentials. @param root of relative files. */
export async function connectSftp(
  remote: SftpUser,
  root: string,
  signal: AbortSignal,
): Promise<SftpConnection> {
  const { sftp } = remote;
  const account = {
    username: sftp.user,
    ...(sftp.keyFile === undefined ? {} : { privateKey: keyIn(sftp.keyFile, remote, root) }),
    ...(sftp.passphrase === undefined ? {} : { passphrase: sftp.passphrase }),
    ...(sftp.password === undefined ? {} : { password: sftp.password }),
  };
  let shown: string | null = null;
  const way = await wayTo(remote, signal);
  const client = new ssh2.Client();
  let fault: RemoteFault | null = null;
  const ended = new Promise<never>((_, reject) => {
    client.on('error', (error) => {
      fault ??= connectionFault(error, shown, remote);
      reject(fault);
    });
    client.on('close', () => reject(fault ?? connectionFault(CLOSED, null, remote)));
  });
  // Each call races with it; between calls nothing listens.
  ended.catch(() => undefined);
  const abort = () => client.destroy();
  signal.addEventListener('abort', abort, { once: true });
  const close = () => {
    signal.removeEventListener('abort', abort);
    client.destroy();
  };
  const within = <T>(work: Promise<T>) => Promise.race([work, ended]);
  try {
    await within(
      new Promise<void>((done) => {
        client.on('ready', done);
        const server: ConnectConfig = {
          host: sftp.host,
          port: sftp.port,
          readyTimeout: READY_MS,
          keepaliveInterval: KEEPALIVE_MS,
          hostVerifier: (key: Buffer) => {
            shown = `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`;
            return shown === sftp.hostKey;
          },
        };
        begin(client, { ...way, ...server, ...account }, remote);
      }),
    );
    const wrapper = await within(
      new Promise<SFTPWrapper>((done, failed) => {
        client.sftp((error, opened) =>
          error === undefined ? done(opened) : failed(connectionFault(error, shown, remote)),
        );
      }),
    );
    return {
      call: (start) =>
        within(
          new Promise((done, failed) => {
            start(wrapper, (error, result) =>
              error === undefined || error === null ? done(result as never) : failed(error),
            );
          }),
        ),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function wayTo(remote: SftpUser, signal: AbortSignal): Promise<{ readonly sock?: Socket }> {
  const { host, port, proxy } = remote.sftp;
  if (proxy === undefined) return Promise.resolve({});
  const { hostname, port: proxyPort, username, password } = new URL(proxy);
  const account = [username, password].map(decodeURIComponent).join(':');
  const server = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((done, failed) => {
    const refused = (why: unknown) => failed(connectionFault(why, null, remote));
    const authorization = `Basic ${Buffer.from(account).toString('base64')}`;
    const tunnel = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: proxyPort === '' ? 80 : proxyPort,
      method: 'CONNECT',
      path: server,
      timeout: READY_MS,
      signal,
      headers: { host: server, ...(username === '' ? {} : { 'proxy-authorization': authorization }) },
    });
    tunnel.on('connect', ({ statusCode }, sock: Socket, head) => {
      // An SSH server speaks first: its words may come together with the proxy's answer.
      sock.unshift(head);
      if (statusCode === 200) return done({ sock });
      sock.destroy();
      refused(new Error(`the proxy answers CONNECT with ${statusCode}`));
    });
    tunnel.on('timeout', () => tunnel.destroy(new Error('the proxy doesn’t answer')));
    tunnel.on('error', refused);
    tunnel.end();
  });
}

/** The client throws at once for a key that it can't read. */
function begin(client: ssh2.Client, config: ConnectConfig, { source, sftp }: SftpUser): void {
  try {
    client.connect(config);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `the key in ${sftp.keyFile} of source ${source.name} can't be used: ${why}`;
    const hint = 'Name a private key in OpenSSH or PEM form, and its passphrase where it has one.';
    throw sourceFault(source, CONNECT, message, hint);
  }
}

function keyIn(file: string, { source }: SftpUser, root: string): Buffer {
  try {
    return readFileSync(resolve(root, file));
  } catch (error) {
    const message = `keyFile ${file} of source ${source.name} can't be read: ${unreadableReason(error)}`;
    const hint = 'Correct keyFile, or let the user that runs Registrar read it.';
    throw sourceFault(source, CONNECT, message, hint);
  }
}

/** @param shown the fingerprint that the server has shown; null: it got no further. */
function connectionFault(error: unknown, shown: string | null, { sftp, source }: SftpUser): RemoteFault {
  const where = `${sftp.host}:${sftp.port}`;
  if (shown !== null && sftp.hostKey === undefined) {
    const message = `${where} shows the host key ${shown}, and source ${source.name} names no host key`;
    const hint = `Compare it with the one that the server's administrator names, and write hostKey: ${shown}`;
    return sourceFault(source, CONNECT, message, hint, 'usage', error);
  }
  if (shown !== null && shown !== sftp.hostKey) {
    const message = `the host key of ${where} has changed: it is ${shown}, and source ${source.name} expects ${sftp.hostKey}`;
    const hint =
      "Nothing was sent to it. Ask the server's administrator whether the key was replaced; if so, write the new one into hostKey.";
    return sourceFault(source, CONNECT, message, hint, 'usage', error);
  }
  if ((error as { readonly level?: string }).level === 'client-authentication') {
    const message = `${where} doesn't accept the account of source ${source.name}`;
    const hint = 'Correct user, keyFile or password, or have the key added on the server.';
    return sourceFault(source, CONNECT, message, hint, 'unavailable', error);
  }
  const message = `the SFTP server ${where} of source ${source.name} can't be reached: ${reasonOf(error)}`;
  return sourceFault(source, CONNECT, message, awayHint(source), 'io', error);
}

const CLOSED = { code: 'ECONNRESET' };
