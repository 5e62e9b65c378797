import { readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/domain/clock.js';
import { readAuditLog, recordEvent } from '../../../../src/ledger/access/audit-log.js';
import { readTokens } from '../../../../src/ledger/access/tokens.js';
import { readMigrations } from '../../../../src/ledger/store/migrations.js';
import { disconnect } from '../../../../src/ledger/store/open.js';
import { openDatabaseLedger } from '../../../../src/ledger/store/postgres/open.js';
import { decider } from '../../../support/decider.js';
import { freshDatabase } from '../../../support/postgres-server.js';
import { testLedger } from '../../../support/staged-ledger.js';

const OWN = new URL('../../../../migrations/postgres/', import.meta.url);
const AT = '2026-03-02T08:00:00.000Z';
const GOLDEN = new URL('schema.golden', OWN);

async function ask<Row>(statement: string): Promise<Row[]> {
  const { url, drop } = await freshDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await drop();
  });
  return (await client.query(statement)).rows as Row[];
}

/** Every object of the ledger, as the database itself writes it. */
const OBJECTS = `
  select kind, name, text from (
    select 1 as kind, c.relname || ' ' || lpad(a.attnum::text, 3, '0') as name,
      format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attcollation <> 0 and a.attcollation = 'pg_catalog."C"'::regcollation then ' C' else '' end,
        case when a.attnotnull then ' not null' else '' end) as text
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    union all
    select 2, c.conrelid::regclass || ' ' || c.conname, c.conrelid::regclass || ': ' || pg_get_constraintdef(c.oid)
    from pg_constraint c where c.connamespace = current_schema()::regnamespace and c.conrelid <> 0
    union all
    select 3, indexname, indexdef from pg_indexes where schemaname = current_schema()
    union all
    select 4, viewname, 'view ' || viewname || ': ' || definition from pg_views where schemaname = current_schema()
    union all
    select 5, t.tgname, pg_get_triggerdef(t.oid) from pg_trigger t where not t.tgisinternal
    union all
    select 6, p.proname, pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = current_schema()::regnamespace
  ) o order by kind, name collate "C"`;

it('the migrations create the schema of the golden file', async () => {
  const files = readMigrations([OWN]).map(({ name, sha256 }) => `-- ${name} ${sha256}`);
  const objects = await ask<{ readonly text: string }>(OBJECTS);
  const made = `${[...files, ...objects.map(({ text }) => text.trimEnd())].join('\n')}\n`;
  if (process.env.RENEW_SCHEMA === '1') writeFileSync(GOLDEN, made);
  expect(
    made,
    'the schema is not the one of migrations/postgres/schema.golden; see test/ledger/store/migrate.test.ts',
  ).toBe(readFileSync(GOLDEN, 'utf8'));
});

it('a ledger of an earlier build keeps the events of its audit log, and accepts the later kinds', async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.query('create table schema_migration (name text, sha256 text, applied_at text)');
  for (const { name, text, sha256 } of readMigrations([OWN]).filter(({ name }) => name < '0006')) {
    await client.query(text);
    await client.query('insert into schema_migration values ($1, $2, $3)', [name, sha256, AT]);
  }
  const event = `insert into audit_event (kind, who, door, at, about) values`;
  await client.query(`${event} ('settings', 'ada', 'console', '${AT}', '+ timeZone: UTC')`);
  await client.query(`${event} ('sign-in', 'ben', 'console', '${AT}', null)`);
  await client.query(
    `insert into api_token (secret_hash, name, role, added_at, added_by, added_door)
     values (decode(repeat('00', 32), 'hex'), 'lms', 'viewer', '${AT}', 'ada', 'console')`,
  );
  await client.end();

  const ledger = await openDatabaseLedger(url, systemClock());
  onTestFinished(() => disconnect(ledger));
  const all = { kind: null, who: null, since: null, until: null, after: null, limit: 9 };
  const kinds = async () => (await readAuditLog(ledger, all)).rows.map(({ kind }) => kind).sort();
  expect(await kinds()).toEqual(['settings', 'sign-in', 'token-add']);
  expect(await readTokens(ledger)).toMatchObject([{ name: 'lms', expiresAt: null }]);
  await recordEvent(ledger, 'assign', decider('ada'), { subject: 'bad-date', value: 'ben', about: '' });
  expect(await kinds()).toEqual(['assign', 'settings', 'sign-in', 'token-add']);
});

interface Column {
  readonly table: string;
  readonly column: string;
}

/** Triggers that replace foreign keys, which a database would look up for each row of a batch. */
const REFERENCES = [
  'drop_file_used',
  'environment_stay',
  'operation_stay',
  'row_refers',
  'submission_refers',
];

it('both engines have the same tables, columns, triggers and indexes', async () => {
  const columns = await ask<Column>(
    `select table_name::text as "table", column_name::text as "column" from information_schema.columns
     where table_schema = current_schema()`,
  );
  const names = ({ table, column }: Column) => `${table}.${column}`;
  const { sqlite } = testLedger().file;
  const ofFile = sqlite
    .prepare(
      `select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
       where t.type in ('table', 'view') and t.name not like 'sqlite_%'`,
    )
    .all() as Column[];
  // A file is one workspace's; a database could be given to two.
  expect(columns.map(names).sort()).toEqual([...ofFile.map(names), 'ledger.workspace'].sort());
  const objectsOf = (type: string) =>
    sqlite
      .prepare('select name from sqlite_schema where type = ? and sql is not null order by name')
      .pluck()
      .all(type);
  const triggers = await ask<{ name: string }>(
    'select tgname::text as name from pg_trigger where not tgisinternal',
  );
  expect(triggers.map(({ name }) => name).sort()).toEqual([...objectsOf('trigger'), ...REFERENCES].sort());
  const indexes = await ask<{ name: string }>(
    `select i.indexname::text as name from pg_indexes i where i.schemaname = current_schema()
       and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`,
  );
  expect(indexes.map(({ name }) => name).sort()).toEqual(objectsOf('index'));
});
