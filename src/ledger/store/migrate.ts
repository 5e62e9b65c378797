import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { INSTALLATION } from '../../domain/process/installation.js';

/** One numbered file of plain SQL. */
interface Migration {
  readonly name: string;
  readonly text: string;
}

/**
 * Brings a ledger to this program's schema. Each file and the record of it are one transaction, so a crash leaves
 * it applied or not. Refuses a ledger that a newer Registrar has written, and one whose applied files were changed.
 * @param folders where the files lie, one folder after the other.
 */
export function migrate(sqlite: Database, path: string, nowMs: number, folders: readonly URL[] = OWN): void {
  const known = readMigrations(folders);
  sqlite
    .transaction(() => {
      sqlite.exec(
        'create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at text not null) strict, without rowid',
      );
    })
    .immediate();
  for (const [index, migration] of known.entries()) {
    // Asked again inside the transaction: another process may be migrating the same ledger.
    sqlite
      .transaction(() => {
        const applied = appliedMigrations(sqlite);
        refuseForeign(applied, known, path);
        if (applied.length > index) return;
        sqlite.exec(migration.text);
        sqlite
          .prepare('insert into schema_migration (name, sha256, applied_at) values (?, ?, ?)')
          .run(migration.name, digest(migration.text), isoFromMs(nowMs));
      })
      .immediate();
  }
}

/** The migrations that come with the program. */
const OWN = [new URL('migrations/', INSTALLATION)];

/** Refuses a ledger whose schema isn't the one of this program; changes nothing. For ledgers opened to read. */
export function requireMigrated(sqlite: Database, path: string): void {
  const known = readMigrations(OWN);
  const applied = appliedMigrations(sqlite);
  refuseForeign(applied, known, path);
  if (applied.length < known.length) {
    throw new OperatorError({
      operation: 'open the ledger',
      subject: path,
      message: `${path} was written by an older Registrar`,
      hint: 'Bring it up to date, once: registrar status.',
    });
  }
}

function appliedMigrations(sqlite: Database): { name: string; sha256: string }[] {
  return sqlite.prepare('select name, sha256 from schema_migration order by name').all() as {
    name: string;
    sha256: string;
  }[];
}

function refuseForeign(
  applied: readonly { name: string; sha256: string }[],
  known: readonly Migration[],
  path: string,
): void {
  applied.forEach((entry, index) => {
    const expected = known[index];
    if (expected && expected.name === entry.name && digest(expected.text) === entry.sha256) return;
    throw new OperatorError({
      operation: 'open the ledger',
      subject: path,
      message: `${path} was written by a newer or different Registrar: its schema has ${entry.name}, which this program ${expected?.name === entry.name ? 'knows in another form' : "doesn't know"}`,
      hint: 'Use the Registrar that wrote it, or a newer one. Nothing was changed.',
    });
  });
}

function readMigrations(folders: readonly URL[]): Migration[] {
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') })),
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
