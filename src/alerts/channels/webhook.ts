import { createHmac } from 'node:crypto';
import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import { createHttp } from '../../platform/http.js';
import { VERSION } from '../../version.js';
import { type AlertMessage, documentOf } from '../message.js';
import { slackShape } from '../shapes/slack.js';
import { teamsShape } from '../shapes/teams.js';
import { ChannelError } from './channel-error.js';
import { unreachable } from './unreachable.js';
import { type Bounds, within } from './within.js';

/** Of the time limit, for the answer. */
const SHARE_OF_ANSWER = 0.9;

const SHAPES = { json: documentOf, slack: slackShape, teams: teamsShape } as const;

/** Posts a message, with `X-Registrar-Signature: t=<unix seconds>,v1=<HMAC-SHA256 of "t.body", hex>` where there is a secret. */
export async function sendByWebhook(
  { url, shape, secret, caFile }: NonNullable<ChannelConfig['webhook']>,
  message: AlertMessage,
  bounds: Bounds,
): Promise<void> {
  if (url === undefined) throw new ChannelError('has no address');
  const body = JSON.stringify(SHAPES[shape](message));
  const http = createHttp(bounds.clock, false, { caFile });
  const request = { method: 'POST', url, headers: headersFor(body, secret, bounds), body };
  try {
    const { response, failure } = await within(bounds, (over) =>
      http.exchange(request, {
        // So that what is said is that the host doesn't answer.
        deadlineMs: Math.ceil(bounds.limitMs * SHARE_OF_ANSWER),
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

function headersFor(body: string, secret: string | undefined, { clock }: Bounds): Record<string, string> {
  const signed =
    secret === undefined ? {} : { 'x-registrar-signature': signatureOf(body, secret, clock.nowMs()) };
  return { 'content-type': 'application/json', 'user-agent': `registrar/${VERSION}`, ...signed };
}
