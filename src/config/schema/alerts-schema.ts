import { ALERT_KINDS } from '../../domain/alerts/alert.js';
import { mailAddressMistake, webhookMistake } from '../values/network/address.js';
import { z } from '../zod.js';
import * as v from './value-schemas.js';

/** The maximum time of one notification: a claim of notifications lasts longer than twice that. */
const MAX_TIME_LIMIT_MS = 120_000;

const kinds = z.array(z.enum(ALERT_KINDS));

const mailAddress = v.checked(mailAddressMistake).meta({ title: 'mail address' });

const email = z
  .strictObject({
    host: v.text.describe('host name of the mail server'),
    port: v.port.optional().describe('port of the mail server; default: 587, or 465 with security: tls'),
    security: z
      .enum(['starttls', 'tls'])
      .default('starttls')
      .describe(
        'how the connection is encrypted. With starttls, a connection to this machine (127.0.0.1, ::1, localhost) is encrypted only if caFile is set',
      ),
    user: v.optionalText.describe('user name to sign in with; without it, Registrar doesn’t sign in'),
    password: v.secretReference.describe(
      `a reference to an environment variable, \${NAME}; a literal password is refused`,
    ),
    passwordFile: v.optionalText.describe('file that holds the password, instead of password'),
    caFile: v.caFile,
    from: mailAddress.describe('address that the mails are sent from'),
    to: z.array(mailAddress).min(1).max(50).describe('addresses of the recipients'),
  })
  .superRefine((email, context) => {
    v.requireOneSecret(context, email, 'password', email.user !== undefined);
    if (email.user === undefined && (email.password ?? email.passwordFile) !== undefined)
      context.addIssue({ code: 'custom', path: ['user'], message: v.MISSING });
  });

const webhook = z
  .strictObject({
    url: v
      .checked(webhookMistake)
      .meta({ pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$', ...v.SECRET })
      .optional()
      .describe(
        `address to post to: a reference to an environment variable, \${NAME}; a literal address is refused, because it is as secret as a password`,
      ),
    urlFile: v.optionalText.describe('file that holds the address, instead of url'),
    shape: z
      .enum(['json', 'slack', 'teams'])
      .default('json')
      .describe('form of the request body (see docs/alerts.md)'),
    secret: v.secretReference.describe(
      `key of the signature: a reference to an environment variable, \${NAME}; without it, requests aren’t signed`,
    ),
    secretFile: v.optionalText.describe('file that holds the key, instead of secret'),
    caFile: v.caFile,
  })
  .superRefine((webhook, context) => {
    v.requireOneSecret(context, webhook, 'url', true);
    v.requireOneSecret(context, webhook, 'secret', false);
  });

const channel = z
  .strictObject({
    name: v.nameSchema.describe('name of the channel'),
    email: email.optional().describe('sends notifications by mail'),
    webhook: webhook.optional().describe('sends notifications by a POST request'),
    file: v
      .checked(v.folderMistake)
      .optional()
      .describe('appends notifications to this file as lines of JSON; relative to the workspace'),
    command: z
      .array(z.string())
      .min(1)
      .optional()
      .describe(
        'sends notifications by this program with these arguments, without a shell; it reads them as JSON on stdin',
      ),
    only: kinds.default([]).describe('kinds of alerts that the channel sends; empty: all but run'),
    details: z
      .boolean()
      .default(false)
      .describe('true: notifications also name files, and quote the platform’s reason for an outage'),
    timeLimit: v.positiveDuration
      .prefault('30s')
      .describe('time limit for sending a notification; 2m at most'),
  })
  .superRefine((entry, context) => {
    const ways = (['email', 'webhook', 'file', 'command'] as const).filter((way) => entry[way] !== undefined);
    if (ways.length !== 1) {
      const message = 'must have one of email, webhook, file and command';
      context.addIssue({ code: 'custom', path: ways.slice(1, 2), message });
    }
    if (entry.timeLimit > MAX_TIME_LIMIT_MS) {
      context.addIssue({ code: 'custom', path: ['timeLimit'], message: 'is longer than 2m' });
    }
  })
  .transform(({ timeLimit: timeLimitMs, ...read }) => ({ ...read, timeLimitMs }));

export const alertsSchema = z
  .strictObject({
    channels: z
      .array(channel)
      .default([])
      .describe('where alerts are sent; without a channel, only status and the console show them'),
    urgent: kinds
      .default(['environment', 'service', 'inbox', 'ledger', 'disk', 'configuration', 'books'])
      .describe('kinds of alerts that mails mark as urgent'),
    attentionShare: v.percent
      .default(5)
      .describe(
        'an alert opens when more than this percentage of a source’s rows need attention: of the files of its last day with files, with 20 rows or more',
      ),
    recoverAfter: v.duration
      .prefault('5m')
      .describe(
        'how long a condition must be absent before its alert closes, so that a flapping condition sends one notification',
      ),
  })
  .superRefine(({ channels }, context) => {
    channels.forEach(({ name }, index) => {
      if (channels.findIndex((other) => other.name === name) === index) return;
      const message = 'is already the name of another channel; choose another';
      context.addIssue({ code: 'custom', path: ['channels', index, 'name'], message });
    });
  })
  .transform(({ recoverAfter: recoverAfterMs, ...read }) => ({ ...read, recoverAfterMs }))
  .prefault({});

/** What a source should send, and by when: a missing drop gives a notification. */
export const expectSchema = z
  .strictObject({
    by: v.timeOfDay.optional().describe('time of day by which a file is expected, such as 06:00'),
    days: z
      .array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']))
      .min(1)
      .default(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])
      .describe('days to which by applies'),
    timeZone: v.timeZone.optional().describe('IANA zone of by; default: the source’s'),
    every: v.positiveDuration.optional().describe('instead of by: longest time between two files'),
  })
  .superRefine(({ by, every }, context) => {
    if ((by === undefined) !== (every === undefined)) return;
    context.addIssue({ code: 'custom', message: 'must have either by or every' });
  })
  .transform(({ every: everyMs, ...read }) => ({ ...read, everyMs }));

export type ChannelConfig = z.output<typeof channel>;
export type ExpectConfig = z.output<typeof expectSchema>;
