import type { Config } from '../config/schema.js';
import { listenAddress, listenText } from '../config/values/network/listen-address.js';
import { type ExitName, worstExit } from '../domain/operator-error.js';
import type { Answer, Call } from './command.js';
import type { HealthcheckOptions } from './facts/healthcheck.js';

/** Why a health check fails. */
interface Problem {
  readonly code: string;
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly exit: ExitName;
}

/** Carries `registrar healthcheck` out. Problems are printed on stderr, with --quiet too. */
export async function answer(call: Call<HealthcheckOptions>): Promise<Answer> {
  const { options } = call;
  const url = options.url ?? servedAt(call.workspace().config);
  const problems = [
    ...(url === null ? await ownProblems(call) : await serviceProblems(url)),
    ...(options.work ? await workProblems(call) : []),
  ];
  const sentences = problems.map(({ message }) => `${message}\n`).join('');
  const isHealthy = problems.length === 0;
  const exit = worstExit(problems.map((problem) => problem.exit));
  return {
    document: () => ({ healthy: isHealthy, exit, asked: url, problems }),
    text: () => (isHealthy ? 'Ready.\n' : sentences),
    ...(options.quiet && !options.json ? { notes: sentences } : {}),
    ...(isHealthy ? {} : { exit }),
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

async function serviceProblems(url: string): Promise<readonly Problem[]> {
  const { askReady } = await import('../monitor/ask-ready.js');
  const asked = await askReady(url);
  if (asked.kind === 'answered') return asked.problems;
  const message = `the service doesn't answer at ${url}: ${asked.reason}. See whether registrar schedule is alive and listens there.`;
  return [{ code: 'service', message, exit: 'attention' }];
}

async function ownProblems({
  io,
  workspace,
  openToRead,
}: Call<HealthcheckOptions>): Promise<readonly Problem[]> {
  const { readiness } = await import('../actions/monitor/readiness.js');
  const context = await openToRead();
  const { paths } = workspace();
  return (await readiness({ paths, ledger: context?.ledger ?? null }, io.env)).problems;
}

async function workProblems({ openToRead }: Call<HealthcheckOptions>): Promise<readonly Problem[]> {
  const { health } = await import('../actions/status.js');
  const { firingsBetween } = await import('../schedule/slots.js');
  const context = await openToRead();
  return context === null ? [] : (await health(context, { firings: firingsBetween })).problems;
}
