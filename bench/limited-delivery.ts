import { systemClock } from '../src/domain/clock.js';
import type { SandboxRequest } from '../src/sandbox/answer.js';
import { createSandboxPlatform } from '../src/sandbox/platform.js';
import type { SandboxQuota } from '../src/sandbox/quota.js';
import type { ReceivedRequest } from '../src/sandbox/received.js';
import type { Latency } from '../test/support/quota-use.js';
import { exchangeWith } from '../test/support/sandbox-connection.js';
import type { Limiter } from './rate-limiters.js';

/**
 * Posts completions through a limiter, all of them at once, and each as often as needed. The token doesn't affect the
 * limiter: it was fetched a period earlier and no longer counts. Resolves with the received requests once the platform has
 * accepted `rows`; there are some more completions, so that there is work until then.
 */
export async function deliverThrough(
  limiter: Limiter,
  quota: SandboxQuota,
  latency: Latency,
  rows: number,
): Promise<readonly ReceivedRequest[]> {
  const clock = systemClock();
  const platform = createSandboxPlatform({ quota });
  const token = JSON.parse(platform.handle(TOKEN_REQUEST, clock.nowMs()).body ?? '').access_token as string;
  await clock.sleep(quota.perMs);
  const latencyMs = latency.draws();

  return new Promise((resolve, reject) => {
    let accepted = 0;
    const deliver = async (row: number): Promise<void> => {
      for (;;) {
        const answer = await limiter(() => exchangeWith(platform, clock, latencyMs, completion(token, row)));
        if (answer.status === 201) break;
        if (answer.status !== 429) throw new Error(`the platform answered ${answer.status}`);
        // Retry-After is rounded to whole seconds: without another second the client would retry too early, again and again.
        await clock.sleep((Number(answer.headers['retry-after']) + 1) * 1_000);
      }
      accepted += 1;
      if (accepted === rows) resolve(platform.received);
    };
    for (let row = 0; row < rows + quota.requests; row += 1) deliver(row).catch(reject);
  });
}

const TOKEN_REQUEST: SandboxRequest = {
  method: 'POST',
  path: '/oauth/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'sandbox-client',
    client_secret: 'sandbox-secret',
    scope: 'completions:write',
  }).toString(),
};

function completion(token: string, row: number): SandboxRequest {
  return {
    method: 'POST',
    path: '/api/v2/completions',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      data: {
        type: 'completions',
        attributes: {
          'user-id': `learner${row}@northwind.example`,
          'user-identifier-type': 'Email',
          'content-id': 'C-1',
          'content-id-type': 'ExternalId',
          'content-type': 'course',
          'completed-at': '2026-01-10T09:00:00.000Z',
        },
      },
    }),
  };
}
