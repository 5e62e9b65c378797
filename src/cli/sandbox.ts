import { once } from 'node:events';
import { durationMs } from '../config/values/duration.js';
import { parseFaults } from '../sandbox/faults.js';
import { startSandbox } from '../sandbox/server.js';
import type { Answer, Call } from './command.js';
import type { setUp } from './facts.js';
import { usageError } from './usage-error.js';

export async function answer({ options, interrupt }: Call<typeof setUp.sandbox>): Promise<Answer> {
  if (options.port > 65_535) {
    const { port } = options;
    throw usageError('--port', `--port ${port} is not a port`, 'Ports go up to 65535; 0 takes any free one.');
  }
  const server = await startSandbox({
    port: options.port,
    quota: parseQuota(options.quota),
    faults: parseFaults(options.faults),
  });
  const about = {
    baseUrl: server.url,
    authUrl: server.url,
    clientId: 'sandbox-client',
    clientSecret: 'sandbox-secret',
    received: `${server.url}/_sandbox/received`,
  };
  return {
    document: () => about,
    text: () =>
      [
        `The sandbox listens on ${about.baseUrl}; Ctrl-C ends it.`,
        `  baseUrl and authUrl: ${about.baseUrl}`,
        `  client id: ${about.clientId}, client secret: ${about.clientSecret}`,
        "  learners whose identifier contains 'unknown' are not known to it",
        `  what it received: ${about.received}`,
        '',
      ].join('\n'),
    async afterwards() {
      const { signal } = interrupt;
      if (!signal.aborted) await once(signal, 'abort');
      await server.close();
    },
  };
}

function parseQuota(text: string) {
  const match = /^(\d+)\/(\d+(?:ms|s|m|h))$/.exec(text);
  const requests = Number(match?.[1] ?? 0);
  const perMs = durationMs(match?.[2] ?? '');
  if (requests > 0 && perMs > 0) return { requests, perMs };
  throw usageError('--quota', `--quota "${text}" is not a quota`, 'Write it as 70/1m or 20/5s.');
}
