import type { Clock } from '../../domain/clock.js';
import { errorsOf, OperatorError } from '../../domain/operator-error.js';

/** Error codes: the database can't be reached now, or has ended the connection. */
const UNAVAILABLE_CODES = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|08|57P0|53300|25P03)/;
/** The same for errors of the driver, which have no code. */
const UNAVAILABLE_MESSAGES =
  /connection terminated|timeout expired|timeout exceeded|query read timeout|connection error|not queryable|cached plan must not change/i;

/** The code by which `isPassing` recognises a temporary error. */
const LEDGER_UNAVAILABLE = 'LEDGER_UNAVAILABLE';

/** True where the database couldn't be reached: the query may or may not have been executed. */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof OperatorError &&
    (error.cause as { code?: unknown } | undefined)?.code === LEDGER_UNAVAILABLE
  );
}

/** How long to retry: longer than a restart of the database takes, shorter than a lease. */
const RETRY_FOR_MS = 20_000;

export async function retryWhileUnavailable<T>(local: Clock, query: () => Promise<T>): Promise<T> {
  const lastMs = local.monotonicMs() + RETRY_FOR_MS;
  for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2_000)) {
    try {
      return await query();
    } catch (error) {
      if (!isUnavailable(error) || local.monotonicMs() + waitMs > lastMs) throw error;
    }
    await local.sleep(waitMs);
  }
}

/** An OperatorError where the database can't be reached or refuses the query; any other error as is. */
export function databaseError(error: unknown, name: string): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  const driverMessage = String(message || code);
  const fault = (words: string, hint: string, cause: unknown) =>
    errorsOf('reach the ledger')(name, `the database ${name} ${words}`, hint, { exit: 'io', cause });
  if (UNAVAILABLE_CODES.test(String(code)) || UNAVAILABLE_MESSAGES.test(driverMessage)) {
    const cause = Object.assign(new Error(driverMessage), { code: LEDGER_UNAVAILABLE, cause: error });
    const hint =
      'Nothing is lost: Registrar resumes when the database answers. Check that the database runs, and check the network.';
    return fault(`can't be reached: ${driverMessage}`, hint, cause);
  }
  const remedy = REFUSALS[String(code)];
  return remedy === undefined ? error : fault(`refuses this: ${driverMessage}`, remedy, error);
}

const POOLED =
  'A pooler gives the connection to others after each transaction. Let PgBouncer pool sessions, or use version 1.21 or newer with max_prepared_statements of at least 500.';

/** Remedies, by PostgreSQL's error code (https://www.postgresql.org/docs/15/errcodes-appendix.html). */
const REFUSALS: Readonly<Record<string, string>> = {
  '26000': POOLED,
  '28P01': "Check user and password in the variable with the database's address.",
  '28000':
    "Check user and password in the variable with the database's address, and the server's pg_hba.conf.",
  '3D000': "Create the database, or check its name in the variable with the database's address.",
  '22P05': "A text has the character U+0000, which PostgreSQL can't store. Keep this ledger in a file.",
  '42P05': POOLED,
  '42501': 'Grant the role the rights that docs/deploy.md lists.',
  '53100': "The server's disk is full. Make room there and run again: nothing is lost.",
  '55P03': 'Another process keeps the ledger locked. Find it: select * from pg_stat_activity.',
};
