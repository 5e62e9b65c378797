import { health } from '../actions/status.js';
import { renderStatus } from '../report/status/render-status.js';
import type { Answer, Call } from './command.js';
import type { StatusOptions } from './facts/status.js';
import { readStatus } from './read-status.js';

/** Carries `registrar status` out. */
export async function answer(call: Call<StatusOptions>): Promise<Answer> {
  if (call.options.health) return healthAnswer(call);
  const found = await readStatus(call);
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
