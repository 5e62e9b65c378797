import type { ConsoleParts } from '../console/start-console.js';
import { describeFailure } from './describe-failure.js';
import type { Logger } from './logger.js';

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
    logger.error({ asked: request }, describeFailure(error).text);
  const onRefused = (detail: string) => logger.warn(`sign-in refused: ${detail}`);
  const served = await startConsole({ ...parts, queryPool, onFailure, onRefused });
  logger.info({ url: served.url }, 'the console is served');
  if (parts.monitor !== null) logger.info({ address: served.address }, SERVING);
  return {
    ...served,
    /** registrar.yaml was read again. */
    renew: queryPool.renew,
  };
}

/** What the log says where health and metrics are served, be it beside the console or at an address of their own. */
export const SERVING = 'serving /healthz, /readyz and /metrics';
