import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PERSONAL } from '../../../src/ledger/store/personal.js';
import { fileOf } from '../../../src/ledger/store/query.js';
import { testLedger } from '../../support/staged-ledger.js';

const SCHEMA = readFileSync(new URL('../../../migrations/sqlite/0001-ledger.sql', import.meta.url), 'utf8');

describe.each(PERSONAL)('the personal columns of $table', ({ table, key, columns }) => {
  it('are there, may be null, and are found by its key', () => {
    const { sqlite } = fileOf(testLedger());
    const found = sqlite.pragma(`table_info("${table}")`) as { name: string; notnull: number; pk: number }[];
    expect(found.filter(({ name, notnull }) => columns.includes(name) && notnull === 0)).toHaveLength(
      columns.length,
    );
    expect(found.filter(({ pk }) => pk > 0).map(({ name }) => name)).toEqual(key);
  });

  it('are said to be personal by the schema', () => {
    const [, body = ''] = new RegExp(`create table ${table} \\((.*?)\\n\\) strict`, 's').exec(SCHEMA) ?? [];
    const before = SCHEMA.slice(0, SCHEMA.indexOf(`create table ${table} (`))
      .split('\n\n')
      .at(-1);
    expect(`${before}${body}`).toMatch(/personal/i);
  });

  it('are cleared by an erasure alone: a trigger names each', () => {
    const { sqlite } = fileOf(testLedger());
    const trigger = sqlite
      .prepare("select sql from sqlite_master where type = 'trigger' and name = ?")
      .pluck()
      .get(`${table}_erase`) as string;
    const [, of = ''] = /before update(?: of (.*?))? on /s.exec(trigger) ?? [];
    for (const column of columns) {
      if (of !== '') expect(of.split(/,\s*/)).toContain(column);
      expect(trigger).toContain(`new.${column} is not`);
    }
    expect(trigger).toContain("kind in ('forget', 'purge') and finished_at is null");
  });
});
