import type { LedgerPlace } from '../../config/values/ledger-place.js';
import type { Clock } from '../../domain/clock.js';
import { errorsOf, OperatorError } from '../../domain/operator-error.js';
import { type CopiedTables, copyInto } from '../../ledger/books/balance/copy-into.js';
import { ledgerBytes, openLedger, withLedger } from '../../ledger/store/open.js';
import type { Ledger } from '../../ledger/store/query.js';
import { damageOf } from '../../upkeep/explain-damage.js';
import { replaceFile } from '../../workspace/files/durable.js';
import { removeLeftoversBeside } from '../../workspace/files/leftover-files.js';
import { type LocatedWorkspace, withReadOnlyLedger } from '../context.js';
import { requireLedger } from './backup.js';

/** `from` and `to`: what people know the ledger and its copy by; never with a password. */
export type LedgerCopy = Awaited<ReturnType<typeof copyLedgerTo>>;

/**
 * Copies the workspace's ledger, a file or a database, into a new file or an empty database, while services and runs go on; what
 * they do after that moment isn't in the copy. A copy that is killed leaves nothing: a file gets its name at the end, and a
 * database is filled in one transaction. Throws OperatorError where there is no ledger, or the place isn't empty.
 */
export async function copyLedgerTo(workspace: LocatedWorkspace, place: LedgerPlace) {
  const { paths, clock } = workspace;
  const { databaseName } = await import('../../ledger/store/postgres/open.js');
  return withReadOnlyLedger(workspace, async (present) => {
    const ledger = requireLedger(paths, present);
    try {
      const from = paths.database === null ? paths.ledger : databaseName(paths.database.url);
      return 'file' in place
        ? { from, to: place.file, ...(await intoFile(ledger, place.file, clock)) }
        : { from, ...(await intoDatabase(ledger, place.url, paths.database?.workspace, clock)) };
    } catch (error) {
      throw error instanceof OperatorError ? error : ((await damageOf(ledger, error)) ?? error);
    }
  });
}

/** At the end the database compares whole tables in one statement: an hour is enough for hundreds of millions of rows. */
const ANSWER_MS = 3_600_000;

async function intoFile(ledger: Ledger, file: string, clock: Clock): Promise<CopiedTables> {
  if (ledgerBytes(file) > 0) {
    throw refusal(file, `${file} already exists`, 'Name another file, or move this one away.');
  }
  await removeLeftoversBeside(file, 'copy the ledger');
  return replaceFile(file, (temporary) =>
    withLedger(openLedger(temporary, clock), (into) => copyInto(ledger, into, file)),
  );
}

async function intoDatabase(ledger: Ledger, url: string, workspace: string | undefined, clock: Clock) {
  const { databaseName, openDatabaseLedger } = await import('../../ledger/store/postgres/open.js');
  const into = await openDatabaseLedger(url, clock, {
    answerMs: ANSWER_MS,
    ...(workspace === undefined ? {} : { workspace }),
  });
  const to = databaseName(url);
  return { to, ...(await withLedger(into, () => copyInto(ledger, into, `the database ${to}`))) };
}

const refusal = errorsOf('copy the ledger');
