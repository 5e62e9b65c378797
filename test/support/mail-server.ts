import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A mail as a server has received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came. */
  readonly raw: string;
  readonly isEncrypted: boolean;
}

/** A mail server on 127.0.0.1 until the test ends, with the certificate of the test authority. It accepts everything. */
export async function mailServer(
  options: SMTPServerOptions = {},
): Promise<{ readonly port: number; readonly mails: readonly ReceivedMail[] }> {
  const mails: ReceivedMail[] = [];
  const read = (name: string) => readFileSync(fileURLToPath(new URL(`tls/${name}`, import.meta.url)));
  const server = new SMTPServer({
    authOptional: true,
    cert: read('platform.pem'),
    key: read('platform.key.pem'),
    onData(stream, { envelope, secure }, callback) {
      let raw = '';
      stream.setEncoding('utf8').on('data', (text: string) => {
        raw += text;
      });
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, isEncrypted: secure });
        callback();
      });
    },
    ...options,
  });
  // A client that goes away, or doesn't trust the certificate.
  server.on('error', () => {});
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, mails };
}

/** The text of a mail's parts, without their encoding. */
export function readableMail({ raw }: ReceivedMail): string {
  const bytes = raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
