import type { Logger } from 'pino';
import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { CommonOptions, Io } from './io.js';
import { logProgress } from './log-progress.js';
import { terminalProgress } from './terminal-progress.js';
import type { Progress } from './watching.js';

/** A bar on a terminal; log lines everywhere else. */
export function createProgress(
  io: Io,
  options: CommonOptions,
  logger: Logger,
  environments: Readonly<Record<string, EnvironmentConfig>>,
  clock: Clock,
): Progress {
  const isDrawn = io.isTerminal && !options.quiet && !options.json;
  return isDrawn ? terminalProgress(io, environments, clock) : logProgress(logger);
}
