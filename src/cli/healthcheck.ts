import { readHealth } from '../actions/health/read-health.js';
import type { Config } from '../config/schema.js';
import { listenAddress, listenText } from '../config/values/network/listen-address.js';
import { type Health, type HealthFinding, healthFrom } from '../domain/health/health.js';
import { worstExit } from '../domain/operator-error.js';
import { healthText } from '../report/words/health-words.js';
import type { Answer, Call } from './command.js';
import type { serve } from './facts/serve.js';

/** Carries `registrar healthcheck` out. Findings are printed on stderr, with --quiet too. */
export async function answer(call: Call<typeof serve.healthcheck>): Promise<Answer> {
  const { options } = call;
  const url = options.url ?? servedAt(call.workspace().config);
  const health = url === null ? await ownHealth(call) : await servedHealth(url);
  const failing = health.findings.filter(({ state }) => options.work || state === 'failed');
  const isFailed = failing.length > 0;
  const text = healthText(health);
  return {
    document: () => ({ asked: url, ...health }),
    text: () => text,
    ...(options.quiet && !options.json && isFailed ? { notes: text } : {}),
    ...(isFailed ? { exit: worstExit(failing.map(({ exit }) => exit)) } : {}),
  };
}

/** Where the service of this configuration answers on this machine; null: nowhere. */
function servedAt({ monitor }: Config): string | null {
  const listen = monitor.listen === undefined ? null : listenAddress(monitor.listen);
  if (listen === null) return null;
  const host = LOOPBACK_OF.get(listen.host) ?? listen.host;
  return `http://${listenText({ ...listen, host })}/readyz`;
}

/** Addresses that mean every one of this machine. */
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** What the service says of itself; that it doesn't answer is a finding like any other. */
async function servedHealth(url: string): Promise<Health> {
  const { askReady } = await import('../monitor/ask-ready.js');
  const asked = await askReady(url);
  if (asked.kind === 'answered') return asked.health;
  const finding: HealthFinding = {
    part: 'service',
    subject: 'registrar',
    state: 'failed',
    code: 'service-silent',
    since: null,
    lastGoodAt: null,
    message: `The service doesn't answer at ${url}: ${asked.reason}.`,
    remedy: 'See whether registrar schedule is running and listens there.',
    exit: 'attention',
  };
  return healthFrom([finding], [], []);
}

async function ownHealth({ workspace, openToRead }: Call<typeof serve.healthcheck>): Promise<Health> {
  const context = await openToRead();
  return readHealth({ ...workspace(), ledger: context?.ledger ?? null });
}
