import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSession } from '../../src/ledger/access/sessions.js';
import { csvOf, DEFAULT_COLUMNS, type ExportRow, exportRow, exportRows } from '../support/exports.js';
import { isStopped } from '../support/is-stopped.js';
import { imbalancesOf } from '../support/snapshot-ledger.js';
import { documentOf, type TestWorkspace, testWorkspace, until } from '../support/workspace.js';
import { ledgerText, withLedger } from '../support/workspace-ledger.js';
import {
  delivered,
  type ForgetDocument,
  forget,
  JANE,
  NEAR_JANE,
  OLD_JANE,
  REASON,
  SLOW,
} from './forget-setup.js';

const BY_NUMBER = { ...DEFAULT_COLUMNS, email: 'Employee ID' };

/** People who look after learners, and are some themselves. */
async function logIn(workspace: TestWorkspace, ...names: string[]): Promise<void> {
  const limits = { idleMs: 3_600_000, longestMs: 3_600_000 };
  await withLedger(workspace, async (ledger) => {
    for (const [index, name] of names.entries()) {
      const session = { person: { name, role: 'operator' }, how: 'oidc', stamp: null, ...limits } as const;
      await openSession(ledger, String(index).repeat(64), session);
    }
  });
}

describe('registrar forget', () => {
  it(
    'erases the person from rows, records, answers and corrections, proves it, and lists what else names them',
    SLOW,
    async () => {
      const workspace = await delivered();
      await workspace.cli('map', OLD_JANE, JANE, '--because', 'her address changed');
      await logIn(workspace, JANE, NEAR_JANE);
      const dry = await forget(workspace, '--dry-run');
      expect(dry.document).toMatchObject({ rows: 6, mentions: 1, proof: null });
      expect(workspace.query("select * from decision where kind = 'forget'")).toEqual([]);

      const aside = 'registrar-before-restore-20260101T000000000Z.db';
      writeFileSync(join(workspace.root, aside), 'packed');
      const { code, document, stdout, stderr } = await forget(workspace, ...REASON);
      expect(document.states).toEqual({ accepted: 1, replaced: 1, waiting: 2 });
      expect(document).toMatchObject({
        rows: 6,
        mentions: 1,
        cleared: { dismissed: 2, records: 4, corrections: 1 },
        proof: { remaining: [] },
      });
      expect(stdout + stderr).not.toMatch(/canary/i);
      // Exit code 1: the archived files are the operator's.
      expect([code, document.files.filter(({ path }) => !path.startsWith('reports/'))]).toEqual([
        1,
        [
          { path: 'archive/academy/1-a.csv', sure: true },
          { path: 'archive/academy/2-b.xlsx', sure: true },
          { path: aside, sure: false },
        ],
      ]);
      expect(document.files.some(({ path }) => path.startsWith('reports/'))).toBe(true);

      expect(workspace.query('select name from session')).toEqual([{ name: NEAR_JANE }]);
      const bytes = ledgerText(workspace);
      expect(bytes.split(JANE).length).toBe(bytes.split(NEAR_JANE).length);
      expect(bytes).not.toContain(OLD_JANE);
      const lookup = await workspace.cli('report', '--format', 'csv', '--out', 'out');
      expect(lookup.code).toBe(0);
      const reports = workspace
        .files('out')
        .map((name) => readFileSync(join(workspace.root, 'out', name), 'utf8'));
      expect(reports.join().replaceAll(NEAR_JANE, '')).not.toMatch(/canary/i);
      expect(reports.join()).toContain('learner5@example.org');
      expect(await workspace.books()).toMatchObject({
        balanced: true,
        attention: 0,
        states: { dismissed: 2, waiting: 1 },
      });
      const kept = workspace.query<{ because: string; selection: string }>(
        "select because, selection from decision where kind = 'forget' and finished_at is not null",
      );
      expect(kept).toEqual([
        {
          because: 'request 4711',
          selection: expect.stringMatching(/^\{"learners":\["[0-9a-f",]+\],"reports":false\}$/),
        },
      ]);
    },
  );

  it('sends nothing of the person again, whatever comes, and keeps nothing of it', SLOW, async () => {
    const workspace = await delivered();
    await forget(workspace, ...REASON);
    const posts = workspace.posts();
    const rows = [
      exportRow(1, { email: JANE.toUpperCase() }),
      exportRow(30, { email: JANE }),
      exportRow(31, { email: JANE, status: 'Not started' }),
      exportRow(32, { email: `${JANE}; someone` }),
    ];
    workspace.drop('again.csv', csvOf(rows));
    workspace.drop('a.csv', readFileSync(join(workspace.root, 'archive/academy/1-a.csv')));
    const { report } = await workspace.run();
    expect(report.files.find(({ file }) => file === 'again.csv')?.dispositions).toMatchObject({
      skipped: 4,
    });
    // Row 8 of the workbook alone was still to be sent.
    expect(workspace.posts()).toBe(posts + 1);
    expect(workspace.query('select distinct code from issue where drop_id = 3 and line > 1')).toEqual([
      { code: 'learner-forgotten' },
    ]);
    expect(ledgerText(workspace).replaceAll(NEAR_JANE, '')).not.toContain(JANE);
    // The same request again finds the archived copies, and nothing in the ledger.
    const again = await forget(workspace, ...REASON, '--reports');
    expect(again.document).toMatchObject({ rows: 0, cleared: { records: 0 }, proof: { remaining: [] } });
    expect(again.document.deleted.length).toBeGreaterThan(0);
    expect(workspace.files('reports')).not.toEqual([]);
    for (const path of workspace.files('reports')) {
      const text = readFileSync(join(workspace.root, 'reports', path), 'utf8').replaceAll(NEAR_JANE, '');
      expect(text).not.toContain(JANE);
    }
  });

  it(
    'is refused while a run delivers, without a reason, and where the identifier may be of two people',
    SLOW,
    async () => {
      const workspace = await testWorkspace({
        sources: { academy: {}, numbers: {} },
      });
      workspace.drop('a.csv', csvOf([exportRow(1, { email: JANE }), ...exportRows(5, 5)]));
      workspace.drop('n.csv', csvOf([exportRow(1, { email: JANE })], BY_NUMBER), 'numbers');
      await workspace.run('--no-push');
      const refused: [readonly string[], RegExp][] = [
        [[JANE], /needs a reason.*--because/],
        [[JANE, ...REASON], /2 types.*--type EmployeeId|--type Email/],
        [[' ', ...REASON], /is empty/],
      ];
      for (const [args, sentence] of refused) {
        const { code, stderr } = await workspace.cli('forget', ...args);
        expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
        expect(stderr).not.toContain('@');
      }
      const running = workspace.startWith({ REGISTRAR_FAILPOINT: 'attempt-written:1:stop' }, 'run');
      await until('her row is under way', () => isStopped(running.pid));
      const busy = await workspace.cli('forget', JANE, '--type', 'Email', ...REASON);
      expect(busy).toMatchObject({ code: 2, stderr: expect.stringMatching(/is delivering to main/) });
      running.kill('SIGKILL');
      await running.ended;
      const underWay = await workspace.cli('forget', JANE, '--type', 'Email', ...REASON);
      expect(underWay).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/rows about the person are being sent/),
      });
      expect(workspace.query('select * from suppression')).toEqual([]);
      // Once the next run has an answer for the row, she can be forgotten.
      await workspace.run();
      const after = await forget(workspace, '--type', 'Email', ...REASON);
      expect(after.document).toMatchObject({ states: { accepted: 1 }, cleared: { records: 1 } });
    },
  );

  it(
    'of an unknown person erases nothing, proves nothing, and names who may be meant on stdout alone',
    SLOW,
    async () => {
      const workspace = await testWorkspace();
      workspace.drop('a.csv', csvOf([exportRow(1, { email: JANE }), ...exportRows(2, 5)]));
      await workspace.run('--no-push');
      for (const args of [REASON, ['--dry-run']]) {
        const refusal = await workspace.cli('forget', 'janecanary@example.org', ...args);
        expect([refusal.code, refusal.stderr]).toEqual([1, '']);
        expect(refusal.stdout).toMatch(
          /^Nothing was found for janecanary@example\.org\.\nDid you mean jane\.canary@example\.org\?\nNothing was changed/,
        );
        const json = await workspace.cli('forget', 'janecanary@example.org', ...args, '--json');
        expect([json.code, documentOf(json)]).toEqual([
          1,
          expect.objectContaining({ known: false, didYouMean: [JANE], decision: null, proof: null }),
        ]);
      }
      const far = await workspace.cli('forget', 'zoe@example.org', ...REASON);
      expect([far.code, far.stdout]).toEqual([
        1,
        expect.stringContaining('Nothing was found for zoe@example.org.'),
      ]);
      expect(workspace.query("select * from decision where kind = 'forget'")).toEqual([]);
      expect(workspace.query('select * from suppression')).toEqual([]);
    },
  );

  it.each<[string, (workspace: TestWorkspace) => unknown]>([
    [
      'only as the manager of a learner',
      async (workspace) => {
        const columns = { ...DEFAULT_COLUMNS, manager: 'Boss' };
        workspace.drop('a.csv', csvOf([{ ...exportRow(1), manager: JANE } as ExportRow], columns));
        await workspace.run('--no-push');
        for (const folder of ['archive', 'reports'])
          rmSync(join(workspace.root, folder), { recursive: true });
      },
    ],
    ['only as an operator who has signed in', (workspace) => logIn(workspace, JANE)],
    ['only in a file', (workspace) => writeFileSync(join(workspace.root, 'reports', 'old.csv'), JANE)],
  ])('erases a person who is known %s', SLOW, async (_, make) => {
    const workspace = await testWorkspace();
    await workspace.run('--no-push');
    await make(workspace);
    const { document } = await forget(workspace, ...REASON, '--reports');
    expect(document).toMatchObject({ known: true, proof: { remaining: [] } });
    expect(ledgerText(workspace)).not.toContain(JANE);
  });
});

it('the cells that a correction gave a row are cleared like those that were read', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf([exportRow(1, { email: 'nobody' }), exportRow(2), exportRow(3)]));
  await workspace.run('--no-push');
  const set = async (row: string, email: string) =>
    workspace.cli('correct', row, '--set', `Email=${email}`, ...REASON);
  expect([(await set('a.csv:2', JANE)).code, (await set('a.csv:3', 'bob@example.org')).code]).toEqual([0, 0]);
  const forgotten = documentOf<ForgetDocument>(await workspace.cli('forget', JANE, ...REASON, '--json'));
  expect(forgotten.proof.remaining).toEqual([]);
  expect(workspace.query('select line, cells is null as cleared from corrected_row order by line')).toEqual([
    { line: 2, cleared: 1 },
    { line: 3, cleared: 0 },
  ]);
  expect(await imbalancesOf(workspace)).toEqual([]);
});
