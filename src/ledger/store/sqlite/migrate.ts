import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { isoFromMs } from '../../../domain/clock.js';
import { once } from '../../../domain/process/once.js';
import { migrationsOf, readMigrations, refuseForeign, unopened } from '../migrations.js';

/**
 * Migrates a ledger to this program's schema, each file in one transaction; a new one is created by `schema.sql`, which makes the
 * same in a quarter of the time. Throws as `refuseForeign` does.
 */
export function migrate(sqlite: Database, path: string, nowMs: number, migrations = ownMigrations()): void {
  // Takes the write lock only in a new ledger.
  sqlite.exec(
    'create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at text not null) strict, without rowid',
  );
  // Mostly nothing is left to apply, which is found out without a write transaction.
  const recorded = appliedMigrations(sqlite);
  refuseForeign(recorded, migrations, path);
  const applyNext = sqlite.transaction(() => {
    // Read again inside the transaction: another process may be migrating the same ledger.
    const applied = appliedMigrations(sqlite);
    refuseForeign(applied, migrations, path);
    const isNew = applied.length === 0 && migrations === ownMigrations();
    const next = migrations.slice(applied.length, isNew ? undefined : applied.length + 1);
    sqlite.exec(isNew ? wholeSchema() : (next[0]?.text ?? ''));
    const record = sqlite.prepare('insert into schema_migration values (?, ?, ?)');
    for (const { name, sha256 } of next) record.run(name, sha256, isoFromMs(nowMs));
    return applied.length + next.length;
  });
  for (let count = recorded.length; count < migrations.length; ) count = applyNext.immediate();
}

const wholeSchema = () => readFileSync(new URL('schema.sql', migrationsOf('sqlite')), 'utf8');

const ownMigrations = once(() => readMigrations([migrationsOf('sqlite')]));

/** Throws OperatorError where the ledger's schema isn't this program's; changes nothing. For ledgers opened to read. */
export function requireMigrated(sqlite: Database, path: string): void {
  const migrations = ownMigrations();
  const applied = appliedMigrations(sqlite);
  refuseForeign(applied, migrations, path);
  if (applied.length < migrations.length) {
    throw unopened(path, `${path} was written by an older Registrar`, 'Migrate it once: registrar status.');
  }
}

function appliedMigrations(sqlite: Database): { name: string; sha256: string }[] {
  return sqlite.prepare('select name, sha256 from schema_migration order by name').all() as {
    name: string;
    sha256: string;
  }[];
}
