import { getSystemErrorName } from 'node:util';
import type { SentMessageInfo, Transporter } from 'nodemailer';
import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import { isLoopback } from '../../config/values/network/address.js';
import { dateFromMs } from '../../domain/clock.js';
import { trustWith } from '../../platform/authorities.js';
import { type AlertMessage, linesOf } from '../message.js';
import { ChannelError, unreachable } from './channel-error.js';
import { type TimeLimit, withTimeout } from './with-timeout.js';

type EmailConfig = NonNullable<ChannelConfig['email']>;

/** The ports of submission with STARTTLS, and within TLS (RFC 8314). */
const PORTS = { starttls: 587, tls: 465 } as const;

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly attachments?: readonly { readonly filename: string; readonly content: Buffer }[];
  /** By which readers of mail know one that comes twice; absent: each is another one. */
  readonly messageId?: string;
}

/** Sends a message by mail. Without encryption only to this machine. */
export async function sendByMail(email: EmailConfig, message: AlertMessage, limit: TimeLimit): Promise<void> {
  const { to } = email;
  const isUrgent = message.entries.some((entry) => entry.event === 'opened' && entry.isUrgent);
  const subject = `[Registrar] ${isUrgent ? 'Urgent: ' : ''}${message.title}`;
  const refused = await sendMail(email, { to, subject, text: `${linesOf(message).join('\n')}\n` }, limit);
  // Only a test of the channel reports the remaining refusals: other recipients needn't get the message again.
  if (refused > 0 && message.isTest) throw new ChannelError(`refused ${refused} of ${to.length} addresses`);
}

/** Sends a mail; throws ChannelError. @returns how many of its addresses the server refused. */
export function sendMail(email: EmailConfig, mail: Mail, limit: TimeLimit): Promise<number> {
  return withTransport(email, limit, async (transport) => {
    const { to, attachments = [], subject, ...others } = mail;
    const sent = await transport.sendMail({
      envelope: { from: email.from, to: [...to] },
      from: email.from,
      to: [...to],
      date: dateFromMs(limit.clock.nowMs()),
      headers: { 'Auto-Submitted': 'auto-generated' },
      subject: subject.length > MAX_SUBJECT_CHARS ? `${subject.slice(0, MAX_SUBJECT_CHARS)}…` : subject,
      attachments: [...attachments],
      ...others,
    });
    return sent.rejected?.length ?? 0;
  });
}

/** Connects to the server and signs in; sends nothing. Throws ChannelError. */
export function tryMailServer(email: EmailConfig, limit: TimeLimit): Promise<true> {
  return withTransport(email, limit, (transport) => transport.verify());
}

async function withTransport<T>(
  { host, port, security, user, password, caFile }: EmailConfig,
  limit: TimeLimit,
  work: (transport: Transporter<SentMessageInfo>) => Promise<T>,
): Promise<T> {
  // Loading it takes longer than most commands.
  const { createTransport } = await import('nodemailer');
  // A server of this machine often has a self-signed certificate.
  const isPlain = isLoopback(host === '::1' ? '[::1]' : host) && caFile === undefined;
  const { limitMs } = limit;
  const transport = createTransport({
    host,
    port: port ?? PORTS[security],
    secure: security === 'tls',
    requireTLS: security === 'starttls' && !isPlain,
    ignoreTLS: security === 'starttls' && isPlain,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    ...(caFile === undefined ? {} : { tls: { secureContext: trustWith(caFile, process.env) } }),
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    return await withTimeout(limit, (over) => {
      over.addEventListener('abort', () => transport.close(), { once: true });
      return work(transport);
    });
  } catch (error) {
    throw error instanceof ChannelError ? error : mailFault(error, `${host}:${port ?? PORTS[security]}`);
  } finally {
    transport.close();
  }
}

/** Longer subjects are cut by readers of mail. */
const MAX_SUBJECT_CHARS = 180;

/** Uses the library's codes: its messages quote the server. @param server the host with its port. */
function mailFault(error: unknown, server: string): ChannelError {
  const { code, errno, responseCode } = error as { code?: unknown; errno?: unknown; responseCode?: unknown };
  // The library puts a code of its own in place of the system's.
  if (typeof errno === 'number') {
    return unreachable(server, { code: getSystemErrorName(errno), message: '', sent: false });
  }
  if (code === 'ETIMEDOUT') return unreachable(server, { code: 'deadline', message: '', sent: true });
  const codes = `${typeof code === 'string' ? code : 'no code'}${typeof responseCode === 'number' ? `, SMTP ${responseCode}` : ''}`;
  return new ChannelError(`${MAIL_FAULTS.get(code) ?? 'did not accept the mail'} (${codes})`);
}

const MAIL_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['EAUTH', 'refused the user name or the password'],
  ['EENVELOPE', 'refused the sender or all addresses'],
  ['ETLS', 'offers no usable encryption'],
]);
