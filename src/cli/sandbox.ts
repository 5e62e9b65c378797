import { durationMs } from '../config/duration.js';
import { OperatorError } from '../domain/operator-error.js';
import { parseFaults } from '../sandbox/parse-faults.js';
import { QUOTA_WINDOWS, type QuotaWindow } from '../sandbox/quota-meter.js';
import { startSandbox } from '../sandbox/server.js';
import type { Command } from './command.js';
import type { CommonOptions } from './io.js';
import { wholeNumber } from './whole-number.js';

interface SandboxOptions extends CommonOptions {
  readonly port: number;
  readonly faults: string;
  readonly quota: string;
  readonly quotaWindow: QuotaWindow;
}

/** `registrar sandbox`: the platform of the specification, on a port of this machine. */
export const sandboxCommand: Command<SandboxOptions> = {
  name: 'sandbox',
  description: 'the platform of the specification on a local port, for trying things out',
  options: [
    {
      flags: '--port <n>',
      description: 'port on 127.0.0.1; 0: any free one',
      parse: wholeNumber,
      default: 8070,
    },
    {
      flags: '--faults <list>',
      description: 'faults to stage, such as latency=50,server-error=0.02,drop-after@30',
      default: '',
    },
    { flags: '--quota <n/time>', description: 'requests allowed per period', default: '70/1m' },
    {
      flags: '--quota-window <kind>',
      description: 'how requests are counted: fixed, aligned, sliding or bucket',
      choices: Object.keys(QUOTA_WINDOWS),
      default: 'fixed',
    },
  ],
  examples: [
    'registrar sandbox --port 8070 --faults latency=200,server-error=0.05',
    'registrar sandbox --quota 20/5s --quota-window sliding',
  ],
  async run({ options, interrupt }) {
    if (options.port > 65_535) throw noSuchPort(options.port);
    const server = await startSandbox({
      port: options.port,
      quota: { ...parseQuota(options.quota), window: options.quotaWindow },
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
        await aborted(interrupt.signal);
        await server.close();
      },
    };
  },
};

function noSuchPort(port: number): OperatorError {
  return new OperatorError({
    operation: 'read the options',
    subject: '--port',
    message: `--port ${port} is no port`,
    hint: 'Ports go up to 65535; 0 takes any free one.',
  });
}

function parseQuota(text: string) {
  const match = /^(\d+)\/(\d+(?:ms|s|m|h))$/.exec(text);
  const requests = Number(match?.[1] ?? 0);
  const perMs = durationMs(match?.[2] ?? '');
  if (requests > 0 && perMs > 0) return { requests, perMs };
  throw new OperatorError({
    operation: 'read the options',
    subject: '--quota',
    message: `--quota "${text}" is not a quota`,
    hint: 'Write it as 70/1m or 20/5s.',
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
