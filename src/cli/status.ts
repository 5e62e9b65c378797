import { health, status } from '../actions/status.js';
import { renderStatus } from '../report/status/render-status.js';
import type { Answer, Call } from './command.js';
import type { StatusOptions } from './facts/status.js';

/** Carries `registrar status` out. */
export async function answer(call: Call<StatusOptions>): Promise<Answer> {
  if (call.options.health) return healthAnswer(call);
  const context = await call.open();
  const { root } = context.paths;
  // Without a schedule nobody needs the code that reads cron lines.
  const isScheduled = context.config.schedule.length > 0;
  const { nextSlotMs } = isScheduled ? await import('../schedule/slots.js') : { nextSlotMs: () => null };
  const found = await status(context, { workspace: root === call.io.cwd ? null : root, nextSlotMs });
  return { document: () => found, text: (columns) => renderStatus(found, columns) };
}

/** Answers `--health`: exit code 0 only if work gets done. Problems are printed on stderr, with --quiet too. */
async function healthAnswer({ options, open }: Call<StatusOptions>): Promise<Answer> {
  const { firingsBetween } = await import('../schedule/slots.js');
  const found = await health(await open(), { firings: firingsBetween });
  const sentences = found.problems.map(({ message }) => `${message}\n`).join('');
  return {
    document: () => found,
    text: () => (found.healthy ? 'Work gets done.\n' : sentences),
    ...(options.quiet && !options.json ? { notes: sentences } : {}),
    ...(found.healthy ? {} : { exit: found.exit }),
  };
}
