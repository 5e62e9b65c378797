import { copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { type ReportDocument, type TestWorkspace, testWorkspace } from '../support/workspace.js';

/** What no Registrar would do to its ledger. */
function tamper(workspace: TestWorkspace, sql: string): void {
  const ledger = new BetterSqlite3(join(workspace.root, 'registrar.db'));
  ledger.pragma('foreign_keys = off');
  ledger.exec(sql);
  ledger.close();
}

/** What can be wrong with a ledger, and how the report names it. */
const WRONG = {
  'drop trigger row_block_stay; delete from row_block': '7 rows were read, the kept cells are of 0',
  'drop trigger submission_stay; delete from submission where line = 3': 'staged: 5 recorded, 4 there',
  "insert into row (drop_id, line, disposition) values (1, 3, 'skipped')": 'line 3 is skipped and staged',
  'drop trigger row_stay; drop trigger issue_stay; delete from issue; delete from row where line = 7':
    'invalid: 1 recorded, 0 there',
  'drop trigger response_stay; delete from response where attempt_id = 2':
    'attempt 2 has no answer and is not under way, or has one and still is',
};

describe('books that do not balance', () => {
  const stagedWorkspace = async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf([...exportRows(5), exportRow(9, { at: 'never' })]));
    await workspace.cli('run');
    return workspace;
  };

  it('end the report with 3, which names what is wrong', async () => {
    const workspace = await stagedWorkspace();
    const ledger = join(workspace.root, 'registrar.db');
    copyFileSync(ledger, `${ledger}.sound`);
    for (const [sql, named] of Object.entries(WRONG)) {
      copyFileSync(`${ledger}.sound`, ledger);
      tamper(workspace, sql);
      const { code, stdout } = await workspace.cli('report', '--json');
      const { balanced, imbalances } = JSON.parse(stdout) as ReportDocument;
      expect([sql, code, balanced]).toEqual([sql, 3, false]);
      expect(imbalances.flatMap(({ examples }) => examples)).toContain(named);
    }

    const { code, stdout } = await workspace.cli('report');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^The books don't balance\. /);
    expect(stdout).toMatch(/NOT BALANCED: .*main/);
  });
});

describe('a ledger that cannot be trusted', () => {
  it('that is damaged is refused with 74 and what to do, and nothing is sent', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(3)));
    writeFileSync(join(workspace.root, 'registrar.db'), 'not a database '.repeat(2_000), { mode: 0o600 });
    const { code, stdout, stderr } = await workspace.cli('run', '--json');
    expect(code).toBe(74);
    expect(stderr).toMatch(/registrar\.db is damaged\. Restore it from a backup/);
    expect(JSON.parse(stdout).error.exit).toBe('io');
    expect(workspace.posts()).toBe(0);
    expect(workspace.files('inbox')).toEqual(['academy/a.csv']);
  });

  it('that was cut off, or written by a newer Registrar, is refused as well', async () => {
    const workspace = await testWorkspace();
    await workspace.cli('status');
    tamper(
      workspace,
      "insert into schema_migration values ('9999-later.sql', 'x', '2030-01-01T00:00:00.000Z')",
    );
    const newer = await workspace.cli('report');
    expect(newer.code).toBe(2);
    expect(newer.stderr).toMatch(/newer or different Registrar.*Use the Registrar that wrote it/);

    truncateSync(join(workspace.root, 'registrar.db'), 40_000);
    const cut = await workspace.cli('report');
    expect(cut.code).toBe(74);
    expect(cut.stderr).toContain('damaged');
  });
});
