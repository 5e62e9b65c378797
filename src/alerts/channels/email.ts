import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import { isLoopback } from '../../config/values/network/address.js';
import { dateFromMs } from '../../domain/clock.js';
import { authoritiesWith } from '../../platform/authorities.js';
import type { AlertMessage } from '../message.js';
import { mailOf } from '../shapes/mail.js';
import { ChannelError } from './channel-error.js';
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
        ...mailOf(message),
      });
    });
    const refused = sent.rejected.length;
    // Those who have it needn't get it again; who tries the channel is to know.
    if (refused > 0 && message.isTest) throw new ChannelError(`refused ${refused} of ${to.length} addresses`);
  } catch (error) {
    throw error instanceof ChannelError ? error : new ChannelError(mailFault(error));
  } finally {
    transport.close();
  }
}

/** The library's words hold what the server said; its codes don't. */
function mailFault(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const said = typeof responseCode === 'number' ? `, SMTP ${responseCode}` : '';
  switch (code) {
    case 'EAUTH':
      return `refused the user name or the password (EAUTH${said})`;
    case 'EENVELOPE':
      return `refused the sender or all addresses (EENVELOPE${said})`;
    case 'ETLS':
      return `offers no encryption that works (ETLS${said})`;
    default:
      return `did not take the mail (${typeof code === 'string' ? code : 'no code'}${said})`;
  }
}
