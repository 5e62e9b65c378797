import { once } from 'node:events';
import { reconfigured } from '../actions/context.js';
import { isoFromMs } from '../domain/clock.js';
import type { Answer, Call } from './command.js';
import type { serve } from './facts.js';
import { createLogger } from './logger.js';
import { listenOption, reloader, serveConsole } from './serve-console.js';

export async function answer(call: Call<typeof serve.console>): Promise<Answer> {
  const { io, options, interrupt, who } = call;
  const logger = createLogger(io, options, 'info');
  const stop = interrupt.signal;
  let context = await call.open();
  const listen = listenOption(options.listen, context.config.console.listen ?? DEFAULT_ADDRESS);
  const reload = reloader(call, logger, async (workspace) => {
    context = await reconfigured(context, workspace);
    await served.renew();
  });
  const served = await serveConsole({
    listen: listen as NonNullable<typeof listen>,
    context: () => context,
    reload,
    account: who.name,
    monitor: null,
    logger,
  });
  interrupt.onReload(reload);
  if (!stop.aborted) await once(stop, 'abort');
  await served.close();
  const document = { url: served.url, ended: isoFromMs(context.clock.nowMs()) };
  return { document: () => document, text: () => '', exit: 'interrupted' };
}

/** This machine alone. */
const DEFAULT_ADDRESS = '127.0.0.1:8480';
