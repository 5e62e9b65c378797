import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { readMigrations } from '../../../src/ledger/store/migrations.js';
import { closeLedger, openLedger } from '../../../src/ledger/store/open.js';
import { fileOf } from '../../../src/ledger/store/query.js';
import { migrate } from '../../../src/ledger/store/sqlite/migrate.js';
import { manualClock } from '../../support/manual-clock.js';
import { ACCEPTED, deliverNext, mustLease, stage, testLedger } from '../../support/staged-ledger.js';
import { tempFolder } from '../../support/temp-folder.js';

const OWN = new URL('../../../migrations/sqlite/', import.meta.url);
const LATER = new URL('later-migrations/', import.meta.url);
const BROKEN = new URL('broken-migrations/', import.meta.url);
const SCHEMA = new URL('schema.sql', OWN);

/** A ledger of this program's schema, with a submission that was accepted and one that waits; closed. */
async function usedLedger(): Promise<string> {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [{ content: 'A' }, { content: 'B' }]);
  await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, ACCEPTED);
  closeLedger(ledger);
  return fileOf(ledger).path;
}

function inFile<T>(path: string, work: (sqlite: Database) => T): T {
  const sqlite = new BetterSqlite3(path);
  sqlite.pragma('foreign_keys = on');
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}

/** All rows of all tables that a ledger of 0001 has, but for the list of its migrations. */
function content(sqlite: Database, tables = tablesOf(sqlite)): Record<string, unknown[]> {
  return Object.fromEntries(
    tables.map((name) => [name, sqlite.prepare(`select * from "${name}"`).all() as unknown[]]),
  );
}

function tablesOf(sqlite: Database): string[] {
  const names = sqlite.prepare("select name from sqlite_master where type = 'table' order by name").pluck();
  return (names.all() as string[]).filter(
    (name) => name !== 'schema_migration' && !name.startsWith('sqlite_'),
  );
}

describe('a ledger that an earlier Registrar has written', () => {
  it('is migrated to a later schema with all that is in it', async () => {
    const path = await usedLedger();
    inFile(path, (sqlite) => {
      const before = content(sqlite);
      migrate(sqlite, path, 0, readMigrations([OWN, LATER]));
      const after = content(sqlite, Object.keys(before));
      const { submission = [], ...others } = before;
      expect(submission).toHaveLength(2);
      expect(after).toEqual({
        ...others,
        submission: submission.map((row) => ({ ...(row as object), notes: 1 })),
      });
      expect(sqlite.prepare('select submission_id, text from note').raw().all()).toEqual([
        [1, expect.stringMatching(/^came in with drop-\d+\.csv$/)],
        [2, expect.stringMatching(/^came in with drop-\d+\.csv$/)],
      ]);
      expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(sqlite.pragma('foreign_key_check')).toEqual([]);
    });
  });

  it('gets the tables of remote inboxes, containers and results, and keeps all that is in it', async () => {
    const path = await usedLedger();
    inFile(path, (sqlite) => {
      sqlite.exec(
        "drop table remote_file; drop table remote_inbox; drop table contained_file; drop table audit_event; drop table result; delete from schema_migration where name > '0002'",
      );
      const before = content(sqlite);
      sqlite.exec(
        'alter table api_token drop column expires_at; alter table outage add column reported_at text; alter table idempotent_response rename to kept_answer; drop index idempotent_response_at; create index kept_answer_at on kept_answer (answered_at)',
      );
      const names = readFileSync(new URL('0009-names.sql', OWN), 'utf8');
      for (const [, table, from, to] of names.matchAll(/alter table (\w+) rename column (\w+) to (\w+)/g))
        sqlite.exec(`alter table ${table} rename column ${to} to ${from}`);
      migrate(sqlite, path, 0, readMigrations([OWN]));
      expect(content(sqlite)).toEqual({
        ...before,
        remote_file: [],
        remote_inbox: [],
        contained_file: [],
        audit_event: [],
        result: [],
      });
    });
  });

  it('keeps the events of its audit log, and accepts the later kinds', async () => {
    const before = tempFolder();
    const earlier = readMigrations([OWN]).filter(({ name }) => name < '0006');
    for (const { name, text } of earlier) writeFileSync(join(before, name), text);
    const path = join(tempFolder(), 'registrar.db');
    inFile(path, (sqlite) => {
      migrate(sqlite, path, 0, readMigrations([pathToFileURL(`${before}/`)]));
      const event = sqlite.prepare(
        "insert into audit_event (kind, who, door, at, about) values (?, 'ada', 'console', '2026-03-02', ?)",
      );
      event.run('settings', '+ timeZone: UTC');
      event.run('sign-in', null);
      expect(() => event.run('mute', 'x')).toThrow('CHECK');
      const events = () =>
        sqlite.prepare('select event_id, kind, about from audit_event order by event_id').raw().all();
      const old = events();
      migrate(sqlite, path, 0, readMigrations([OWN]));
      expect([old.length, events()]).toEqual([2, old]);
      expect(() => event.run('mute', 'x')).toThrow('CHECK');
      expect(() => sqlite.exec("update audit_event set who = 'eve'")).toThrow('append-only');
    });
  });

  it('is migrated once, however often it is opened', async () => {
    const path = await usedLedger();
    inFile(path, (sqlite) => {
      migrate(sqlite, path, 0, readMigrations([OWN, LATER]));
      const once = content(sqlite);
      migrate(sqlite, path, 1, readMigrations([OWN, LATER]));
      expect(content(sqlite)).toEqual(once);
      expect(sqlite.prepare('select name from schema_migration').pluck().all()).toEqual([
        ...readMigrations([OWN]).map(({ name }) => name),
        '9999-note.sql',
      ]);
    });
  });

  it('is unchanged where a migration fails half-way, and can be opened by its own Registrar', async () => {
    const path = await usedLedger();
    inFile(path, (sqlite) => {
      const before = content(sqlite);
      expect(() => migrate(sqlite, path, 0, readMigrations([OWN, BROKEN]))).toThrow(
        /CHECK|without its transition/,
      );
      expect(content(sqlite)).toEqual(before);
    });
    closeLedger(openLedger(path, manualClock()));
  });

  it('is refused by that Registrar once it was migrated to a later schema', async () => {
    const path = await usedLedger();
    inFile(path, (sqlite) => migrate(sqlite, path, 0, readMigrations([OWN, LATER])));
    expect(() => openLedger(path, manualClock())).toThrow(
      /newer or different Registrar: its schema has 9999-note\.sql/,
    );
  });
});

/** The script that makes what the migrations make: the files with their digests, every object, and the rows of a new ledger. */
function wholeSchema(sqlite: Database): string {
  const files = readMigrations([OWN]).map(({ name, sha256 }) => `-- ${name} ${sha256}`);
  const objects = sqlite
    .prepare(
      "select sql from sqlite_master where sql is not null and name not like 'sqlite_%' and name <> 'schema_migration' order by type in ('trigger', 'index'), tbl_name, name",
    )
    .pluck()
    .all() as string[];
  const rows = [...tablesOf(sqlite), 'sqlite_stat1'].flatMap((table) =>
    (sqlite.prepare(`select * from ${table}`).raw().all() as unknown[][]).map(
      (row) => `insert into ${table} values (${row.map(literal).join(', ')});`,
    ),
  );
  const statements = [...objects.map((text) => `${text};`), ANALYZE, rows.join('\n'), ANALYZE];
  return [files.join('\n'), ...statements].join('\n\n').concat('\n');
}

/** Makes sqlite_stat1, and reads it. */
const ANALYZE = 'analyze sqlite_schema;';

function literal(value: unknown): string {
  if (Buffer.isBuffer(value)) return `x'${value.toString('hex')}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

it('a new ledger is created at once, as the migrations would make it one after the other', () => {
  const path = join(tempFolder(), 'migrated.db');
  const migrated = inFile(path, (sqlite) => {
    migrate(sqlite, path, 0, readMigrations([OWN]));
    return { schema: wholeSchema(sqlite), tables: content(sqlite) };
  });
  if (process.env.RENEW_SCHEMA === '1') writeFileSync(SCHEMA, migrated.schema);
  const HOW =
    'the schema is not the one of migrations/sqlite/schema.sql. Where that is meant: RENEW_SCHEMA=1 npx vitest run test/ledger/store/migrate.test.ts, and review what has changed. A file of migrations/ that was released is never edited: add another one';
  expect(migrated.schema, HOW).toBe(readFileSync(SCHEMA, 'utf8'));
  const created = inFile(join(tempFolder(), 'created.db'), (sqlite) => {
    migrate(sqlite, path, 0);
    const applied = sqlite.prepare('select name from schema_migration').pluck().all();
    return { schema: wholeSchema(sqlite), tables: content(sqlite), applied };
  });
  expect(created).toEqual({ ...migrated, applied: readMigrations([OWN]).map(({ name }) => name) });
});
