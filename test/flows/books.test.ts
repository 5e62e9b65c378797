import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { onlyForFiles } from '../support/only-for-files.js';
import { snapshotLedger } from '../support/snapshot-ledger.js';
import { documentOf, type ReportDocument, testWorkspace } from '../support/workspace.js';
import { tamper } from '../support/workspace-ledger.js';

/** Faults of a ledger: which equation fails, and the rows that the report names. */
const WRONG: readonly (readonly [sql: string, equation: string, named: readonly string[]])[] = [
  ['update drop_file set staged = staged + 1', 'rows', ['staged: 6 recorded, 5 found']],
  [
    'delete from submission where line = 3',
    'submissions',
    ['line 3 is staged, and its submission is nowhere'],
  ],
  [
    "insert into row (drop_id, line, disposition) values (1, 8, 'skipped')",
    'found',
    ['skipped: 0 recorded, 1 found'],
  ],
  [
    'delete from row where line = 3',
    'found',
    ['staged: 5 recorded, 4 found', 'line 3 became a submission, and its row is nowhere'],
  ],
  ['delete from issue; delete from row where line = 7', 'found', ['invalid: 1 recorded, 0 found']],
  [
    "update row set disposition = 'skipped' where line = 7",
    'dispositions',
    ['invalid: 1 recorded, 0 found', 'skipped: 0 recorded, 1 found'],
  ],
  [
    'update drop_file set staged = staged - 1, blank = blank + 1',
    'submissions',
    ['staged: 4 recorded, 5 found', 'blank: 1 recorded, 0 found'],
  ],
  [
    "update counter set count = count - 1 where state = 'accepted'",
    'counters',
    ['accepted: 4 counted, 5 there'],
  ],
  ['delete from open_item', 'items', ['invalid: 0 counted, 1 there']],
  [
    "insert into open_item values (1, 2, 1, 1, 1, 'held', 'amended', 'amended')",
    'items',
    ['held amended: 1 counted, 0 there'],
  ],
  [
    "update submission set state = 'rejected', cause = 'platform-refused', accepted_as = null where line = 2",
    'counters',
    ['accepted: 5 counted, 4 there', 'rejected platform-refused: 0 counted, 1 there'],
  ],
  ["update answer_counter set count = count + 1 where outcome = 'accepted'", 'attempts', []],
  [
    'delete from response where attempt_id = 2',
    'attempts',
    ['request 2 for a.csv:3 has no answer and is not open'],
  ],
  [
    // There are as many answers as requests.
    'update response set attempt_id = 99 where attempt_id = 2',
    'attempts',
    ['request 2 for a.csv:3 has no answer and is not open'],
  ],
  [
    "insert into attempt_open values (2, 'main')",
    'attempts',
    ['request 2 for a.csv:3 has its answer and is still open'],
  ],
];

describe('books that do not balance', () => {
  const stagedWorkspace = async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf([...exportRows(5), exportRow(9, { at: 'never' })]));
    await workspace.cli('run');
    return workspace;
  };

  it('end the report with 3, which names the equation and the rows', async () => {
    const workspace = await stagedWorkspace();
    const restoreLedger = await snapshotLedger(workspace);
    for (const [sql, equation, named] of WRONG) {
      await restoreLedger();
      await tamper(workspace, sql);
      const { code, stdout } = await workspace.cli('report', '--json');
      const { balanced, equations, imbalances } = JSON.parse(stdout) as ReportDocument;
      expect([sql, code, balanced]).toEqual([sql, 3, false]);
      expect(imbalances.map((wrong) => wrong.equation)).toContain(equation);
      expect(imbalances.flatMap(({ examples }) => examples)).toEqual(expect.arrayContaining([...named]));
      const broken = equations.filter((sum) => sum.equation === equation && !sum.holds);
      const part = equation === 'attempts' ? 'environment' : 'drop';
      expect(broken.map(({ over }) => over)).toEqual(expect.arrayContaining([part, 'overall']));
    }

    const { code, stdout } = await workspace.cli('report');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^The books don’t balance: /);
    expect(stdout).toMatch(/^main +requests = .* request 2 for a\.csv:3 has its answer/m);
  });

  it('end a run that moves their submissions with 3, and not one that has nothing to do with them', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(5)));
    await workspace.cli('run', '--no-push');
    await tamper(workspace, 'update drop_file set staged = staged + 1');
    const delivering = await workspace.run();
    expect([delivering.code, delivering.report.balanced, delivering.report.exit]).toEqual([
      3,
      false,
      'unbalanced',
    ]);
    expect(delivering.report.imbalances).toMatchObject([
      { equation: 'rows', subject: 'academy/a.csv (drop 1)', expected: 6, found: 7 },
      { equation: 'dispositions', expected: 7, found: 6 },
      { equation: 'submissions', expected: 6, found: 5, examples: ['staged: 6 recorded, 5 found'] },
    ]);

    workspace.drop('b.csv', csvOf(exportRows(2, 20)));
    const other = await workspace.run();
    expect([other.code, other.report.balanced]).toEqual([0, true]);
  });
});

describe('the control equations', () => {
  it('are shown of each drop, source and environment and of all together, and of a source alone', async () => {
    const workspace = await testWorkspace({ sources: { academy: {}, campus: {} } });
    workspace.drop('a.csv', csvOf([...exportRows(5), exportRow(9, { at: 'never' })]));
    workspace.drop('b.csv', csvOf(exportRows(2, 3)), 'campus');
    const { report } = await workspace.run();
    const shown = ({ equations }: ReportDocument) =>
      equations.map(({ subject, equation, left, right, holds }) => [subject, equation, left, right, holds]);
    expect(report.equations.every(({ holds }) => holds)).toBe(true);
    expect(shown(report)).toEqual([
      ...drop('academy/a.csv (drop 1)', 7, 5, 1),
      ...drop('campus/b.csv (drop 2)', 3, 0, 0),
      ...drop('academy', 7, 5, 1),
      ...drop('campus', 3, 0, 0),
      ['main', 'attempts', 5, 5, true],
      ...drop('run 1', 10, 5, 1),
      ['run 1', 'attempts', 5, 5, true],
    ]);
    const campus = documentOf(await workspace.cli('report', '--source', 'campus', '--json'));
    expect(shown(campus)).toEqual([
      ...drop('campus/b.csv (drop 2)', 3, 0, 0),
      ...drop('campus', 3, 0, 0),
      ['main', 'attempts', 5, 5, true],
      ...drop('all', 3, 0, 0),
      ['all', 'attempts', 5, 5, true],
    ]);
    expect(campus).toMatchObject({ rows: 3, attempts: { total: 0 }, files: [{ file: 'b.csv' }] });
    const both = documentOf(await workspace.cli('report', '--run', '1', '--source', 'academy', '--json'));
    expect(both).toMatchObject({ rows: 7, attempts: { total: 5 }, files: [{ file: 'a.csv' }] });
    expect(both.states.accepted).toBe(5);
    const plain = await workspace.cli('report');
    expect(plain.stdout).toMatch(
      /^all +rows read = sum of the dispositions +10 +10 +✓ yes\n(^all .* ✓ yes\n){6}/m,
    );
  });
});

function drop(subject: string, rows: number, submissions: number, invalid: number) {
  return [
    ...['rows', 'found', 'dispositions'].map((name) => [subject, name, rows, rows, true]),
    [subject, 'submissions', submissions, submissions, true],
    [subject, 'counters', submissions + invalid, submissions + invalid, true],
    [subject, 'items', invalid, invalid, true],
  ];
}

describe('a ledger that cannot be trusted', () => {
  it(
    'that is damaged is refused with 74 and what to do, and nothing is sent',
    onlyForFiles('its bytes'),
    async () => {
      const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger cannot be read' });
      workspace.drop('a.csv', csvOf(exportRows(3)));
      writeFileSync(join(workspace.root, 'registrar.db'), 'not a database '.repeat(2_000), { mode: 0o600 });
      const { code, stdout, stderr } = await workspace.cli('run', '--json');
      expect(code).toBe(74);
      expect(stderr).toMatch(/registrar\.db is damaged, or was never a ledger\. Restore it from a backup/);
      expect(JSON.parse(stdout).error.exit).toBe('io');
      expect(workspace.posts()).toBe(0);
      expect(workspace.files('inbox')).toEqual(['academy/a.csv']);
    },
  );

  it('that was written by a newer Registrar is refused as well', async () => {
    const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger cannot be read' });
    await workspace.cli('status');
    await tamper(
      workspace,
      "insert into schema_migration values ('9999-later.sql', 'x', '2030-01-01T00:00:00.000Z')",
    );
    const newer = await workspace.cli('report');
    expect(newer.code).toBe(2);
    expect(newer.stderr).toMatch(/newer or different Registrar.*Use the Registrar that wrote it/);
  });

  it('that was cut off is refused as well', onlyForFiles('its bytes'), async () => {
    const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger cannot be read' });
    await workspace.cli('status');
    truncateSync(join(workspace.root, 'registrar.db'), 40_000);
    const cut = await workspace.cli('report');
    expect(cut.code).toBe(74);
    expect(cut.stderr).toContain('damaged');
  });
});
