import { type ActionContext, readWorkspace, reconfigured } from '../actions/context.js';
import { carryOut as run } from '../actions/run.js';
import { isoFromMs } from '../domain/clock.js';
import { childProgram } from '../schedule/child-program.js';
import { performer } from '../schedule/perform.js';
import { runService, type Work } from '../schedule/service.js';
import type { Answer, Call } from './command.js';
import { describeFailure } from './describe-failure.js';
import { explained } from './explained.js';
import { logProgress } from './log-progress.js';
import { logService } from './log-service.js';
import { createLogger } from './logger.js';

/** Carries `registrar schedule` out. */
export async function answer({ io, options, interrupt, who, open }: Call): Promise<Answer> {
  const logger = createLogger(io, options, 'info');
  const progress = logProgress(logger);
  const scheduler = { ...who, door: 'schedule' } as const;
  const stop = interrupt.signal;
  let context = await open();
  let reconfigure = (_: ActionContext) => {};
  const listen = logService(logger);

  const execute: Work['run'] = (context, asked, over) =>
    run(context, { trigger: 'cron', confirmed: [], maxDurationMs: null, ...asked }, scheduler, {
      interrupt: over,
      ...progress,
    }).catch(async (error) => {
      throw await explained(context, error);
    });
  const work: Work = {
    run: execute,
    perform: (context, over) => {
      const takeIn = (sources: readonly string[]) =>
        execute(context, { sources, intake: true, push: false }, over);
      const place = ['--workspace', context.paths.root];
      const command = (args: readonly string[]) => childProgram([...args, ...place], stop);
      return performer(context, { takeIn, command }, over, listen);
    },
  };

  /** A configuration with a mistake changes nothing: the service goes on with the one that it has. */
  const readAgain = async () => {
    try {
      const workspace = readWorkspace(options.workspace, io);
      for (const warning of workspace.warnings) logger.warn(warning);
      context = await reconfigured(context, workspace);
      logger.info(shapeOf(context), 'registrar.yaml read again');
      reconfigure(context);
    } catch (error) {
      logger.error(
        `registrar.yaml is not used, and what was read before stays: ${describeFailure(error).text}`,
      );
    }
  };
  let reading = Promise.resolve();
  interrupt.onReload(() => {
    reading = reading.then(readAgain);
  });
  const onReconfigured = (listener: typeof reconfigure) => {
    reconfigure = listener;
  };
  logger.info({ ...shapeOf(context), pid: process.pid }, 'schedule started');
  await runService(context, work, { stop, onReconfigured }, listen);
  await reading;
  logger.info('schedule ended');
  const ended = isoFromMs(context.clock.nowMs());
  return { document: () => ({ ended }), text: () => '', exit: 'interrupted' };
}

function shapeOf({ config }: ActionContext) {
  const { sources, environments, schedule } = config;
  return {
    sources: sources.length,
    environments: Object.keys(environments).length,
    entries: schedule.length,
  };
}
