import { createHash } from 'node:crypto';
import { getSystemErrorName } from 'node:util';
import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import { isLoopback } from '../../config/values/network/address.js';
import { dateFromMs } from '../../domain/clock.js';
import { authoritiesWith } from '../../platform/authorities.js';
import type { AlertEntry, AlertMessage } from '../message.js';
import { mailOf } from '../shapes/mail.js';
import { ChannelError } from './channel-error.js';
import { unreachable } from './unreachable.js';
import { type Bounds, within } from './within.js';

type EmailConfig = NonNullable<ChannelConfig['email']>;

/** The ports of submission with STARTTLS, and within TLS (RFC 8314). */
const PORTS = { starttls: 587, tls: 465 } as const;

/** Sends a message by mail. Without encryption only to this machine. */
export async function tellByMail(email: EmailConfig, message: AlertMessage, bounds: Bounds): Promise<void> {
  // Loading it takes longer than most commands.
  const { createTransport } = await import('nodemailer');
  const { host, port, security, user, password, caFile, from, to } = email;
  // A server of this machine often has a certificate that nobody signed.
  const isPlain = isLoopback(host === '::1' ? '[::1]' : host) && caFile === undefined;
  const { limitMs } = bounds;
  const transport = createTransport({
    host,
    port: port ?? PORTS[security],
    secure: security === 'tls',
    requireTLS: security === 'starttls' && !isPlain,
    ignoreTLS: security === 'starttls' && isPlain,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    ...(caFile === undefined ? {} : { tls: { ca: authoritiesWith(caFile, process.env) } }),
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sent = await within(bounds, (over) => {
      over.addEventListener('abort', () => transport.close(), { once: true });
      return transport.sendMail({
        envelope: { from, to },
        from,
        to,
        date: dateFromMs(bounds.clock.nowMs()),
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...threadOf(message, email),
        ...mailOf(message),
      });
    });
    const refused = sent.rejected.length;
    // Those who have it needn't get it again; who tries the channel is to know.
    if (refused > 0 && message.isTest) throw new ChannelError(`refused ${refused} of ${to.length} addresses`);
  } catch (error) {
    throw error instanceof ChannelError ? error : mailFault(error, `${host}:${port ?? PORTS[security]}`);
  } finally {
    transport.close();
  }
}

/**
 * The headers by which readers of mail show what an alert's opening and its recovery say as one thread: a mail that opens an alert has
 * the id that the one about its end refers to.
 */
function threadOf({ entries, workspace }: AlertMessage, { from, to }: EmailConfig) {
  const idOf = ({ alert }: AlertEntry) => {
    const about = JSON.stringify([workspace, to, alert.alertId, alert.openedAt]);
    return `<${createHash('sha256').update(about).digest('hex').slice(0, 32)}@${from.split('@').at(-1)}>`;
  };
  const opening = entries.find(({ event }) => event === 'opened');
  const references = entries.filter((entry) => entry !== opening).map(idOf);
  if (opening !== undefined) return { messageId: idOf(opening), references };
  return { inReplyTo: references[0], references };
}

/** The library's words hold what the server said; its codes don't. @param server the host with its port. */
function mailFault(error: unknown, server: string): ChannelError {
  const { code, errno, responseCode } = error as { code?: unknown; errno?: unknown; responseCode?: unknown };
  // The library puts a code of its own in place of the system's.
  if (typeof errno === 'number') {
    return unreachable(server, { code: getSystemErrorName(errno), message: '', sent: false });
  }
  if (code === 'ETIMEDOUT') return unreachable(server, { code: 'deadline', message: '', sent: true });
  const said = `${typeof code === 'string' ? code : 'no code'}${typeof responseCode === 'number' ? `, SMTP ${responseCode}` : ''}`;
  switch (code) {
    case 'EAUTH':
      return new ChannelError(`refused the user name or the password (${said})`);
    case 'EENVELOPE':
      return new ChannelError(`refused the sender or all addresses (${said})`);
    case 'ETLS':
      return new ChannelError(`offers no encryption that works (${said})`);
    default:
      return new ChannelError(`did not take the mail (${said})`);
  }
}
