import { type Logger, pino } from 'pino';
import { mapStrings } from '../domain/text/map-strings.js';
import { visibleLines } from '../domain/text/visible-text.js';
import { maskAddresses } from '../report/words/mask.js';
import type { Io } from './io.js';
import type { CommonOptions } from './options-of.js';

/**
 * The log, on stderr, one JSON line an event. Lines carry numbers of rows, drops and runs; never an address, which is masked
 * everywhere, a token or a secret. Without options only warnings are logged, so that cron stays silent.
 * @param defaultLevel the level without options.
 */
export function createLogger(
  { log }: Pick<Io, 'log'>,
  options: CommonOptions,
  defaultLevel: 'warn' | 'info' = 'warn',
): Logger {
  const level = options.quiet ? 'error' : options.verbose ? 'debug' : defaultLevel;
  // Synchronous: the last lines before the process ends are the ones that matter.
  const stderr = log === undefined ? pino.destination({ fd: 2, sync: true }) : { write: log };
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Names of files may hold an address.
      formatters: { log: (facts) => mapStrings(facts, masked) },
      hooks: {
        logMethod(args, method) {
          method.apply(this, args.map((arg) => (typeof arg === 'string' ? masked(arg) : arg)) as typeof args);
        },
      },
    },
    { write: (line) => void stderr.write(visibleLines(line)) },
  );
}

/** A stack names packages, such as `@hono/node-server`, and no person. */
function masked(text: string): string {
  return STACK.test(text) ? text : maskAddresses(text);
}

const STACK = /^ +at /m;

export type { Logger };
