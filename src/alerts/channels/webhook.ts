import { createHmac } from 'node:crypto';
import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import { createHttp, type Http, type HttpRequest, type HttpResult } from '../../platform/http.js';
import { VERSION } from '../../version.js';
import { type AlertMessage, documentOf } from '../message.js';
import { slackShape } from '../shapes/slack.js';
import { teamsShape } from '../shapes/teams.js';
import { ChannelError } from './channel-error.js';
import { unreachable } from './unreachable.js';
import { type Bounds, within } from './within.js';

const SHAPES = { json: documentOf, slack: slackShape, teams: teamsShape } as const;

/** The longest wait before the second and last try. */
const BACK_OFF_MS = 1_000;

/** Shares of the time limit: two tries and the wait between them fit into it. */
const SHARE_OF_TRY = 0.4;
const SHARE_OF_WAIT = 0.05;

/**
 * Posts a message. What may pass by (no answer, 429, 5xx) is tried once more; a redirect is not followed. With a secret it is
 * signed: `X-Registrar-Signature: t=<unix seconds>,v1=<HMAC-SHA256 of "t.body", hex>`.
 */
export async function tellByWebhook(
  { url, shape, secret, caFile }: NonNullable<ChannelConfig['webhook']>,
  message: AlertMessage,
  bounds: Bounds,
): Promise<void> {
  if (url === undefined) throw new ChannelError('has no address');
  const body = JSON.stringify(SHAPES[shape](message));
  const http = createHttp(bounds.clock, false, { caFile });
  const request = () => ({ method: 'POST', url, headers: headersFor(body, secret, bounds), body });
  try {
    await within(bounds, async (over) => {
      const first = await post(http, request(), bounds, over);
      if (first === null || !mayPass(first)) return ended(first, url);
      await bounds.clock.sleep(Math.min(BACK_OFF_MS, bounds.limitMs * SHARE_OF_WAIT), over);
      return ended(await post(http, request(), bounds, over), url);
    });
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

/** null: taken. */
async function post(http: Http, request: HttpRequest, bounds: Bounds, signal: AbortSignal) {
  const deadlineMs = Math.ceil(bounds.limitMs * SHARE_OF_TRY);
  const result = await http.exchange(request, { deadlineMs, mayLeave: () => !signal.aborted, signal });
  const status = result.response?.status ?? 0;
  return status >= 200 && status < 300 ? null : result;
}

function mayPass({ response }: HttpResult): boolean {
  return response === null || response.status === 429 || response.status >= 500;
}

/** What the receiver answers isn't repeated: it may be anything. */
function ended(result: HttpResult | null, url: string): void {
  if (result === null) return;
  const { response, failure } = result;
  const { host } = new URL(url);
  if (response === null) throw unreachable(host, failure);
  const isElsewhere = response.status >= 300 && response.status < 400;
  throw new ChannelError(
    `got HTTP ${response.status} from ${host}${isElsewhere ? ', a redirect, which is not followed' : ''}`,
  );
}
