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
    host: v.text.describe('the mail server that takes them'),
    port: v.port.optional().describe('its port; else 587, or 465 with security: tls'),
    security: z
      .enum(['starttls', 'tls'])
      .default('starttls')
      .describe(
        'how the connection is encrypted; to this machine (127.0.0.1, ::1, localhost) it isn’t with starttls, unless there is a caFile',
      ),
    user: v.optionalText.describe('user name; without it the server is used without a sign-in'),
    password: v.secretReference.describe(
      `a reference to an environment variable, \${NAME}; a literal password is refused`,
    ),
    passwordFile: v.optionalText.describe('file that holds the password, instead of password'),
    caFile: v.caFile,
    from: mailAddress.describe('address of the sender'),
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
        `address to post to: a reference to an environment variable, \${NAME}, because the address is enough to post; a literal one is refused`,
      ),
    urlFile: v.optionalText.describe('file that holds the address, instead of url'),
    shape: z.enum(['json', 'slack', 'teams']).default('json').describe('what is posted (docs/alerts.md)'),
    secret: v.secretReference.describe(
      `key of the signature, a reference \${NAME}; without it messages aren’t signed`,
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
        'sends notifications by this program with these arguments, without a shell; it reads the JSON on stdin',
      ),
    only: kinds.default([]).describe('kinds of alerts that it sends; none: all but run'),
    details: z
      .boolean()
      .default(false)
      .describe('true: it names files too, and quotes the platform’s reason why an environment is down'),
    timeLimit: v.positiveDuration
      .prefault('30s')
      .describe('longest time that a notification may take, 2m at most'),
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
      .describe('where alerts are sent; without channels status and the pages alone show them'),
    urgent: kinds
      .default(['environment', 'service', 'inbox', 'ledger', 'disk', 'configuration', 'books'])
      .describe('kinds of alerts that mails call urgent'),
    attentionShare: v.percent
      .default(5)
      .describe(
        'percent of the rows that may need attention, of those that a source sent in its last day; from 20 rows on',
      ),
    recoverAfter: v.duration
      .prefault('5m')
      .describe(
        'how long a condition must be over before its end is sent, so that a condition that comes and goes is sent once',
      ),
  })
  .superRefine(({ channels }, context) => {
    channels.forEach(({ name }, index) => {
      if (channels.findIndex((other) => other.name === name) === index) return;
      const message = 'is the name of another channel already; choose another';
      context.addIssue({ code: 'custom', path: ['channels', index, 'name'], message });
    });
  })
  .transform(({ recoverAfter: recoverAfterMs, ...read }) => ({ ...read, recoverAfterMs }))
  .prefault({});

/** What a source should send, and by when: a missing drop gives a notification. */
export const expectSchema = z
  .strictObject({
    by: v.timeOfDay.optional().describe('a drop should have come by this time of day, such as 06:00'),
    days: z
      .array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']))
      .min(1)
      .default(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])
      .describe('on these days'),
    timeZone: v.timeZone.optional().describe('IANA zone of by; else the source’s'),
    every: v.positiveDuration.optional().describe('instead of by: no longer than this between two drops'),
  })
  .superRefine(({ by, every }, context) => {
    if ((by === undefined) !== (every === undefined)) return;
    context.addIssue({ code: 'custom', message: 'must have either by or every' });
  })
  .transform(({ every: everyMs, ...read }) => ({ ...read, everyMs }));

export type ChannelConfig = z.output<typeof channel>;
export type ExpectConfig = z.output<typeof expectSchema>;
