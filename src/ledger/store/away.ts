import type { Clock } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';

/** What says that a database can't be reached now, or has ended the connection: of the system, of the server, of the driver. */
const AWAY_CODES = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|08|57P0|53300|25P03)/;
const AWAY_WORDS =
  /connection terminated|timeout expired|timeout exceeded|query read timeout|connection error|not queryable|cached plan must not change/i;

/** The code of an error that passes by itself, as `isPassing` knows it. */
const LEDGER_AWAY = 'LEDGER_AWAY';

/** True where the database couldn't be reached: what was asked of it may or may not have been done. */
export function isAway(error: unknown): boolean {
  return (
    error instanceof OperatorError && (error.cause as { code?: unknown } | undefined)?.code === LEDGER_AWAY
  );
}

/** For so long a database that is away is asked again: a restart of it takes less, and a lease outlives it. */
const REACHED_WITHIN_MS = 20_000;

/** Asks a database again while it can't be reached. */
export async function whileAway<T>(local: Clock, ask: () => Promise<T>): Promise<T> {
  const lastMs = local.monotonicMs() + REACHED_WITHIN_MS;
  for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2_000)) {
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error) || local.monotonicMs() + waitMs > lastMs) throw error;
    }
    await local.sleep(waitMs);
  }
}

/** The error in words, where the database could not be used; any other error as it is. @param name what people know the database by. */
export function explained(error: unknown, name: string): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  const about = { operation: 'reach the ledger', subject: name, exit: 'io' as const };
  const said = String(message || code);
  if (AWAY_CODES.test(String(code)) || AWAY_WORDS.test(said)) {
    return new OperatorError({
      ...about,
      message: `the database ${name} can't be reached: ${said}`,
      hint: 'Nothing is lost: what is under way is taken up again once the database answers. Check that it runs, and the network between.',
      cause: Object.assign(new Error(said), { code: LEDGER_AWAY, cause: error }),
    });
  }
  const remedy = REFUSALS[String(code)];
  if (remedy === undefined) return error;
  return new OperatorError({
    ...about,
    message: `the database ${name} refuses this: ${said}`,
    hint: remedy,
    cause: error,
  });
}

const POOLED =
  'A pooler gives the connection to others after each transaction. Let PgBouncer pool sessions, or use version 1.21 or newer with max_prepared_statements of at least 500.';

/** By the code of PostgreSQL (https://www.postgresql.org/docs/15/errcodes-appendix.html). */
const REFUSALS: Readonly<Record<string, string>> = {
  '26000': POOLED,
  '28P01': "Check user and password in the variable with the database's address.",
  '28000':
    "Check user and password in the variable with the database's address, and what the server lets in.",
  '3D000': "Create the database, or check its name in the variable with the database's address.",
  '22P05': 'A text has the character U+0000, which PostgreSQL keeps nowhere. Keep this ledger in a file.',
  '42P05': POOLED,
  '42501': 'Give the role the rights that docs/deploy.md lists.',
  '53100': "The server's disk is full. Make room there and run again: nothing is lost.",
  '55P03': 'Another process keeps the ledger locked. See who: select * from pg_stat_activity.',
};
