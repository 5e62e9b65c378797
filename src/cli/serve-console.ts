import { readWorkspace, type Workspace } from '../actions/context.js';
import {
  type ListenAddress,
  listenAddress,
  listenMistake,
  listenText,
} from '../config/values/network/listen-address.js';
import type { ConsoleParts } from '../console/start-console.js';
import type { JobsView } from '../monitor/job-tracker.js';
import type { Call } from './command.js';
import { describeFailure } from './describe-failure.js';
import type { serve } from './facts.js';
import type { Logger } from './logger.js';
import { usageError } from './usage-error.js';

/**
 * Serves the console, health and metrics where registrar.yaml or `--listen` says, at one address or at two. Health and metrics alone are
 * served at an address that other machines reach as long as registrar.yaml doesn't say who may see the console.
 */
export async function serveConsoleAndMonitor(
  { options, who }: Call<typeof serve.schedule>,
  { context, reload }: Pick<ConsoleParts, 'context' | 'reload'>,
  jobs: JobsView,
  logger: Logger,
) {
  const { config } = context();
  const health = listenOption(options.listen, config.monitor.listen);
  const pages = listenOption(options.listen, config.console.listen);
  if (health === null && pages === null) return { renew: async () => {}, close: async () => {} };
  const { monitorRoutes, startMonitor } = await import('../monitor/monitor-routes.js');
  const onFailure = (error: unknown) => logger.warn(describeFailure(error).text);
  const monitor = monitorRoutes({ context, jobs, onFailure });
  const console = pages === null ? null : await consoleAt(pages);
  const isApart = health !== null && (console === null || listenText(health) !== listenText(pages ?? health));
  const apart = isApart ? await monitorAt(health) : null;
  return {
    renew: async () => console?.renew(),
    async close() {
      await apart?.close();
      await console?.close();
    },
  };

  /** null: registrar.yaml sets no access. */
  async function consoleAt(listen: ListenAddress) {
    const { mayServe } = await import('../console/start-console.js');
    if (mayServe(listen, config.console))
      return serveConsole({ listen, context, reload, account: who.name, monitor, logger });
    logger.info(
      'the console is not served there: registrar.yaml sets no access: set console.url with users, proxy or oidc',
    );
    return null;
  }

  async function monitorAt(listen: ListenAddress) {
    const served = await startMonitor(listen, monitor);
    logger.info({ address: served.address }, SERVING);
    return served;
  }
}

/** Serves the console, and logs where, and what fails. */
export async function serveConsole({
  logger,
  ...parts
}: Pick<ConsoleParts, 'listen' | 'context' | 'account' | 'monitor' | 'reload'> & {
  readonly logger: Logger;
}) {
  const { startConsole } = await import('../console/start-console.js');
  const { inProcessQueries, threadQueries } = await import('../console/queries/query-pool.js');
  const { paths, ledger } = parts.context();
  // A database reads beside the work by itself, on a connection of the pool; and a thread needs the compiled program.
  const isOnThreads = ledger.file !== null && import.meta.url.endsWith('.js');
  const queryPool = isOnThreads ? threadQueries(paths.root) : inProcessQueries(parts.context);
  const onFailure = (error: unknown, request: string) =>
    logger.error({ request }, describeFailure(error).text);
  const onRefused = (detail: string) => logger.warn(`sign-in refused: ${detail}`);
  const served = await startConsole({ ...parts, queryPool, onFailure, onRefused });
  logger.info({ url: served.url }, 'the console is served');
  if (parts.monitor !== null) logger.info({ address: served.address }, SERVING);
  return {
    ...served,
    renew: queryPool.renew,
  };
}

/** The log line for health and metrics, with the console or at their own address. */
const SERVING = 'serving /healthz, /readyz and /metrics';

/** The address of `--listen`, else that of registrar.yaml; null: neither has one. */
export function listenOption(option: string | undefined, configured: string | undefined) {
  const text = option ?? configured;
  if (text === undefined) return null;
  const address = listenAddress(text);
  if (address !== null) return address;
  throw usageError(
    '--listen',
    `--listen "${text}" ${listenMistake(text)}`,
    'Write a local address, such as 127.0.0.1:8480; any other address is reachable from other machines.',
  );
}

/** Reloads registrar.yaml. If it has mistakes, the process keeps its present configuration. */
export function reloader(
  { io, options }: Pick<Call, 'io' | 'options'>,
  logger: Logger,
  use: (workspace: Workspace) => Promise<void>,
) {
  return async () => {
    try {
      const workspace = readWorkspace(options.workspace, io);
      for (const warning of workspace.warnings) logger.warn(warning);
      await use(workspace);
      logger.info('registrar.yaml read again');
    } catch (error) {
      const { text } = describeFailure(error);
      logger.error(`registrar.yaml can't be used, and the previous settings stay in effect: ${text}`);
    }
  };
}
