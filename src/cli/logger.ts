import { type Logger, pino } from 'pino';
import { visibleLines } from '../domain/visible-text.js';
import type { CommonOptions } from './io.js';

/**
 * The log, on stderr, one JSON line an event. Lines carry numbers of rows, drops and runs; never an address, a token
 * or a secret. Without options only what should worry somebody is logged, so that cron stays silent.
 */
export function createLogger(options: CommonOptions): Logger {
  const level = options.quiet ? 'error' : options.verbose ? 'debug' : 'warn';
  // Synchronous: the last lines before the process ends are the ones that matter.
  const stderr = pino.destination({ fd: 2, sync: true });
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => void stderr.write(visibleLines(line)) },
  );
}
