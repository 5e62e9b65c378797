import { type ListenAddress, listenText } from '../config/values/network/listen-address.js';
import type { ConsoleParts } from '../console/start-console.js';
import type { JobsView } from '../monitor/jobs-view.js';
import type { Call } from './command.js';
import { describeFailure } from './describe-failure.js';
import type { serve } from './facts/serve.js';
import { listenOption } from './listen-option.js';
import type { Logger } from './logger.js';
import { SERVING, serveConsole } from './serve-console.js';

/**
 * Serves the console, health and metrics where registrar.yaml or `--listen` says, at one address or at two. Health and metrics alone are
 * served at an address that other machines reach as long as registrar.yaml doesn't say who may see the console.
 */
export async function serveBeside(
  { options, who }: Call<typeof serve.schedule>,
  { context, reload }: Pick<ConsoleParts, 'context' | 'reload'>,
  jobs: JobsView,
  logger: Logger,
) {
  const { config } = context();
  const health = listenOption(options.listen, config.monitor.listen);
  const pages = listenOption(options.listen, config.console.listen);
  if (health === null && pages === null) return { renew: async () => {}, close: async () => {} };
  const { monitorRoutes } = await import('../monitor/monitor-routes.js');
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
    const { startMonitor } = await import('../monitor/start-monitor.js');
    const served = await startMonitor(listen, monitor);
    logger.info({ address: served.address }, SERVING);
    return served;
  }
}
