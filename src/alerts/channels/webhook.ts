import { createHmac } from 'node:crypto';
import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import { createHttp } from '../../platform/http.js';
import { VERSION } from '../../version.js';
import { type AlertMessage, documentOf, linesOf } from '../message.js';
import { ChannelError, unreachable } from './channel-error.js';
import { type TimeLimit, withTimeout } from './with-timeout.js';

/** Of the time limit, for the answer. */
const SHARE_OF_ANSWER = 0.9;

const SHAPES = { json: documentOf, slack: slackShape, teams: teamsShape } as const;

/** Posts a message, with `X-Registrar-Signature: t=<unix seconds>,v1=<HMAC-SHA256 of "t.body", hex>` where there is a secret. */
export async function sendByWebhook(
  { url, shape, secret, caFile }: NonNullable<ChannelConfig['webhook']>,
  message: AlertMessage,
  limit: TimeLimit,
): Promise<void> {
  if (url === undefined) throw new ChannelError('has no address');
  const body = JSON.stringify(SHAPES[shape](message));
  const http = createHttp(limit.clock, false, { caFile });
  const request = { method: 'POST', url, headers: headersFor(body, secret, limit), body };
  try {
    const { response, failure } = await withTimeout(limit, (over) =>
      http.exchange(request, {
        // So that what is said is that the host doesn't answer.
        deadlineMs: Math.ceil(limit.limitMs * SHARE_OF_ANSWER),
        mayLeave: () => !over.aborted,
        signal: over,
      }),
    );
    const { host } = new URL(url);
    // What the receiver answers isn't repeated: it may be anything.
    if (response === null) throw unreachable(host, failure);
    const { status } = response;
    if (status >= 200 && status < 300) return;
    const isElsewhere = status >= 300 && status < 400;
    throw new ChannelError(
      `got HTTP ${status} from ${host}${isElsewhere ? ', a redirect, which is not followed' : ''}`,
    );
  } finally {
    await http.close();
  }
}

/** The receiver computes the same over the bytes of the body, and compares the time with its own. */
function signatureOf(body: string, secret: string, nowMs: number): string {
  const t = Math.floor(nowMs / 1_000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

function headersFor(body: string, secret: string | undefined, { clock }: TimeLimit): Record<string, string> {
  const signed =
    secret === undefined ? {} : { 'x-registrar-signature': signatureOf(body, secret, clock.nowMs()) };
  return { 'content-type': 'application/json', 'user-agent': `registrar/${VERSION}`, ...signed };
}

/** Slack shortens a longer text. */
const SLACK_MAX_CHARS = 3_000;

function slackShape(message: AlertMessage) {
  const lines = linesOf(message).map(escapedForSlack);
  return {
    text: `*Registrar: ${escapedForSlack(message.title)}*\n${lines.join('\n')}`.slice(0, SLACK_MAX_CHARS),
  };
}

/** Slack's marks for links and mentions; other marks only change how a text looks. */
function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Teams refuses a card of more than 28 kB. */
const TEAMS_MAX_CHARS = 20_000;

function teamsShape(message: AlertMessage) {
  const block = (text: string, more: Readonly<Record<string, string>> = {}) => ({
    ...{ type: 'TextBlock', text, wrap: true },
    ...more,
  });
  // A blank line begins a paragraph.
  const lines = linesOf(message).filter((line) => line !== '');
  const text = lines.map((line) => escapedForTeams(line.trim())).join('\n\n');
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(escapedForTeams(`Registrar: ${message.title}`), { weight: 'Bolder', size: 'Medium' }),
            block(text.slice(0, TEAMS_MAX_CHARS)),
          ],
        },
      },
    ],
  };
}

/** A text block reads Markdown. */
function escapedForTeams(text: string): string {
  return text.replace(/[\\`*_[\]()#!<>~|]/g, '\\$&');
}
