import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { CommonOptions, Io } from './io.js';
import type { Progress } from './watching.js';

/** Sentences and a status line on a terminal; log lines everywhere else. Only the code of the one shown is loaded. */
export async function createProgress(
  io: Io,
  options: CommonOptions,
  environments: Readonly<Record<string, EnvironmentConfig>>,
  clock: Clock,
): Promise<Progress> {
  if (io.isTerminal && !options.quiet && !options.json) {
    const { terminalProgress } = await import('./terminal-progress.js');
    return terminalProgress(io, environments, clock);
  }
  const { createLogger } = await import('./logger.js');
  const { logProgress } = await import('./log-progress.js');
  return logProgress(createLogger(io, options));
}
