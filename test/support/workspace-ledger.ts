import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/domain/clock.js';
import { disconnect, openLedger, openLedgerToRead } from '../../src/ledger/store/open.js';
import { openDatabaseLedger } from '../../src/ledger/store/postgres/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { damageLedger, writeDirectly } from './damage.js';
import { administer } from './postgres-server.js';
import type { TestWorkspace } from './workspace.js';

// The ledger of a test's workspace, whichever it is: a file, or with LEDGER=postgres a database.

/** What says which one it is. */
export type LedgerOfTest = Pick<TestWorkspace, 'root' | 'database'>;

/** Opens a workspace's ledger without starting the program; null where there is no file. The caller disconnects it. */
export async function openLedgerOf({ root, database }: LedgerOfTest): Promise<Ledger | null> {
  if (database !== null) return openDatabaseLedger(database, systemClock());
  return openLedgerToRead(join(root, 'registrar.db'), systemClock());
}

/** Uses a workspace's ledger without starting the program, and closes it. */
export async function withLedger<Result>(
  workspace: LedgerOfTest,
  use: (ledger: Ledger) => Result | Promise<Result>,
): Promise<Result> {
  const { root, database } = workspace;
  const ledger =
    database === null
      ? openLedger(join(root, 'registrar.db'), systemClock(), () => {
          throw new Error(`there is no ledger in ${root}`);
        })
      : await openDatabaseLedger(database, systemClock());
  try {
    return await use(ledger);
  } finally {
    await disconnect(ledger);
  }
}

/** Changes what no verb would, bypassing triggers and foreign keys. */
export async function tamper(workspace: LedgerOfTest, sql: string): Promise<void> {
  if (workspace.database !== null) {
    await administer(workspace.database, `set session_replication_role = replica; ${sql}`);
    return;
  }
  await withLedger(workspace, (ledger) => void damageLedger(ledger, sql));
}

/** Lets every insert into a table fail with this message. */
export async function breakInserts(workspace: LedgerOfTest, table: string, message: string): Promise<void> {
  const trigger = `create trigger broken before insert on ${table}`;
  if (workspace.database === null) {
    await withLedger(workspace, (ledger) =>
      writeDirectly(ledger, `${trigger} begin select raise(abort, '${message}'); end`),
    );
    return;
  }
  await administer(
    workspace.database,
    `create function broken() returns trigger language plpgsql as $$ begin raise exception '${message}'; end $$;
     ${trigger} for each row execute function broken()`,
  );
}

/** All that a workspace's ledger holds: the bytes of its files, or each row of a database as text. */
export function ledgerText(workspace: Pick<TestWorkspace, 'root' | 'database' | 'files' | 'query'>): string {
  const { root, database, files, query } = workspace;
  if (database === null) {
    const names = files('.').filter((name) => /^registrar\.db/.test(name));
    return names.map((name) => readFileSync(join(root, name), 'latin1')).join();
  }
  return query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'")
    .flatMap(({ name }) => query<{ text: string }>(`select kept::text as text from ${name} kept`))
    .map(({ text }) => text)
    .join('\n');
}
