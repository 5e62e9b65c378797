import { getSystemErrorName } from 'node:util';
import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import { isLoopback } from '../../config/values/network/address.js';
import { dateFromMs } from '../../domain/clock.js';
import { authoritiesWith } from '../../platform/authorities.js';
import { type AlertMessage, linesOf, opensUrgent } from '../message.js';
import { ChannelError } from './channel-error.js';
import { unreachable } from './unreachable.js';
import { type Bounds, within } from './within.js';

type EmailConfig = NonNullable<ChannelConfig['email']>;

/** The ports of submission with STARTTLS, and within TLS (RFC 8314). */
const PORTS = { starttls: 587, tls: 465 } as const;

/** Sends a message by mail. Without encryption only to this machine. */
export async function sendByMail(email: EmailConfig, message: AlertMessage, bounds: Bounds): Promise<void> {
  // Loading it takes longer than most commands.
  const { createTransport } = await import('nodemailer');
  const { host, port, security, user, password, caFile, from, to } = email;
  // A server of this machine often has a self-signed certificate.
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
        ...mailOf(message),
      });
    });
    const refused = sent.rejected.length;
    // Only a test of the channel reports the remaining refusals: other recipients needn't get the message again.
    if (refused > 0 && message.isTest) throw new ChannelError(`refused ${refused} of ${to.length} addresses`);
  } catch (error) {
    throw error instanceof ChannelError ? error : mailFault(error, `${host}:${port ?? PORTS[security]}`);
  } finally {
    transport.close();
  }
}

/** Longer subjects are cut by readers of mail. */
const LONGEST_SUBJECT = 180;

/** Subject and text. */
function mailOf(message: AlertMessage): { readonly subject: string; readonly text: string } {
  const subject = `[Registrar] ${opensUrgent(message) ? 'Urgent: ' : ''}${message.title}`;
  return {
    subject: subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT)}…` : subject,
    text: `${linesOf(message).join('\n')}\n`,
  };
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
