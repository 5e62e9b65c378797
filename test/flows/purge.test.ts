import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isoFromMs, systemClock } from '../../src/domain/clock.js';
import { workbookOf } from '../support/attention-file.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { isStopped } from '../support/is-stopped.js';
import { documentOf, testWorkspace, until } from '../support/workspace.js';
import { ledgerText } from '../support/workspace-ledger.js';
import { BROKEN, CLOSED, delivered, FILE, now, SKIPPED, SLOW, UNKNOWN } from './purge-setup.js';

interface PurgeDocument {
  readonly dryRun: boolean;
  readonly drops: readonly { readonly rows: number; readonly open: number; readonly hadContent: boolean }[];
  readonly cleared: Readonly<Record<'rows' | 'records' | 'issues' | 'answers', number>>;
  readonly archived: readonly string[];
  readonly compacted: boolean;
}

describe('registrar purge', () => {
  it('clears the content of closed rows; open ones keep theirs, and the books balance', SLOW, async () => {
    const workspace = await delivered();
    const dry = await workspace.cli('purge', '--before', now(), '--dry-run', '--json');
    expect(documentOf<PurgeDocument>(dry)).toMatchObject({
      dryRun: true,
      drops: [{ rows: 9, open: 2, hadContent: true }],
      cleared: { rows: 7, records: 4, answers: 4 },
    });
    expect(workspace.query('select * from decision')).toEqual([]);

    const purged = await workspace.cli('purge', '--before', now(), '--because', 'kept a year', '--json');
    expect(purged).toMatchObject({ code: 0, stderr: '' });
    // The header is a row that was read; of the records that of the refused learner stays.
    expect(documentOf<PurgeDocument>(purged)).toMatchObject({
      cleared: { rows: 7, records: 4, answers: 4 },
      compacted: true,
    });
    expect(workspace.query('select count(*) as rows from row where cells is not null')).toEqual([
      { rows: 2 },
    ]);
    for (const canary of [CLOSED, SKIPPED]) expect(ledgerText(workspace)).not.toContain(canary);
    expect(ledgerText(workspace)).toContain(UNKNOWN);
    const trace = await workspace.cli('report', '--file', 'a.csv', '--format', 'csv', '--out', 'out');
    expect(trace.code).toBe(0);
    const [attention] = workspace.files('out').filter((name) => name.endsWith('attention.csv'));
    const kept = readFileSync(join(workspace.root, 'out', attention ?? ''), 'utf8');
    expect(kept).toContain(UNKNOWN);
    expect(kept).toContain(BROKEN);
    expect(await workspace.books()).toMatchObject({ balanced: true, states: { accepted: 4, rejected: 1 } });
    expect(workspace.query('select kind, because, selection from decision')).toEqual([
      {
        kind: 'purge',
        because: 'kept a year',
        selection: expect.stringMatching(/^{"before":"20\d\d-.*Z","archive":false}$/),
      },
    ]);
  });

  it(
    'leaves what keeps rows from being sent again: the old file and an overlapping one send nothing',
    SLOW,
    async () => {
      const workspace = await delivered();
      await workspace.cli('purge', '--before', now());
      const posts = workspace.posts();
      workspace.drop('a.csv', FILE);
      workspace.drop('b.csv', csvOf([exportRow(4, { email: CLOSED }), ...exportRows(3)]));
      const { report } = await workspace.run();
      expect(report.files.map(({ dispositions }) => dispositions.duplicate)).toEqual([1, 4]);
      expect(workspace.posts()).toBe(posts);
      expect((await workspace.cli('map')).code).toBe(0);
    },
  );

  it('clears an open row with the next purge after it was closed', SLOW, async () => {
    const workspace = await delivered();
    await workspace.cli('purge', '--before', now());
    await workspace.cli('dismiss', '--all', '--because', 'gone');
    const again = documentOf<PurgeDocument>(await workspace.cli('purge', '--before', now(), '--json'));
    expect(again.cleared).toMatchObject({ rows: 2, records: 1, answers: 1 });
    expect(ledgerText(workspace)).not.toContain(UNKNOWN);
    const third = documentOf<PurgeDocument>(await workspace.cli('purge', '--before', now(), '--json'));
    expect(third.cleared).toEqual({ rows: 0, records: 0, issues: 0, answers: 0 });
  });

  it(
    'takes only drops published before the day, and deletes archived files only on request',
    SLOW,
    async () => {
      const workspace = await testWorkspace();
      workspace.drop('a.csv', csvOf(exportRows(3)));
      await workspace.run();
      const early = documentOf<PurgeDocument>(
        await workspace.cli('purge', '--before', '2020-01-01', '--json'),
      );
      expect(early.drops).toEqual([]);
      const kept = documentOf<PurgeDocument>(await workspace.cli('purge', '--before', now(), '--json'));
      expect(kept.archived).toEqual(['archive/academy/1-a.csv']);
      expect(workspace.files('archive')).toEqual(['academy/1-a.csv']);
      await workspace.cli('purge', '--before', now(), '--archive');
      expect(workspace.files('archive')).toEqual([]);
    },
  );

  it('beside a run that delivers takes what is closed by then, and the run goes on', SLOW, async () => {
    // One request at a time: a process that is stopped within the transaction of another one would hold up all who write.
    const workspace = await testWorkspace({ environments: { main: { inFlight: 1 } } });
    workspace.drop('a.csv', csvOf(exportRows(10)));
    await workspace.run('--no-push');
    const running = workspace.startWith({ REGISTRAR_FAILPOINT: 'answer-recorded:5:stop' }, 'run', '--json');
    await until('5 answers are there', () => isStopped(running.pid));
    const purged = documentOf<PurgeDocument>(await workspace.cli('purge', '--before', now(), '--json'));
    // The 5 and the header; what is still to be sent keeps its content, and the file its length.
    expect(purged).toMatchObject({ compacted: false, cleared: { rows: 6, records: 5 } });
    running.kill('SIGCONT');
    expect(documentOf(await running.ended)).toMatchObject({ exit: 'done', states: { accepted: 10 } });
    expect(workspace.sandbox.platform.completions()).toHaveLength(10);
    const rest = documentOf<PurgeDocument>(await workspace.cli('purge', '--before', now(), '--json'));
    expect(rest).toMatchObject({ compacted: true, cleared: { records: 5 } });
  });

  it('refuses a day that has not come, and takes today', SLOW, async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(3)));
    await workspace.run();
    for (const more of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await workspace.cli('purge', '--before', '2100-01-01', ...more);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        /^registrar: --before 2100-01-01T00:00:00\.000Z is in the future\. It is \S+ now; name a day or a time in the past/,
      );
    }
    expect(workspace.query('select * from decision')).toEqual([]);
    const today = isoFromMs(systemClock().nowMs()).slice(0, 10);
    const purged = await workspace.cli('purge', '--before', today, '--json');
    expect(documentOf<PurgeDocument>(purged).drops).toEqual([]);
  });

  it('keeps the reasons of files still refused, and clears those of closed ones', SLOW, async () => {
    const workspace = await testWorkspace();
    workspace.drop('open.csv', 'Who,What\nada,C-1\n');
    workspace.drop('closed.csv', 'Who,What\nben,C-1\n');
    await workspace.run();
    const [closed] = workspace.query<{ drop_id: number }>(
      `select drop_id from drop_file where file_name = 'closed.csv'`,
    );
    await workspace.cli('dismiss', '--drop', String(closed?.drop_id), '--because', 'was a test');
    const purged = await workspace.cli('purge', '--before', now(), '--json');
    expect(documentOf<{ refusals: number }>(purged).refusals).toBe(1);
    expect(workspace.query('select file_name, refusal from drop_file order by file_name')).toEqual([
      { file_name: 'closed.csv', refusal: 'The reason was erased.' },
      { file_name: 'open.csv', refusal: expect.stringContaining('Who') },
    ]);
    expect((await workspace.cli('status')).stdout).toContain('rejected/academy/open.csv: ');
  });
});

it(
  'a workbook that corrected two sources stays in archive/ until no sheet of it has an open row',
  SLOW,
  async () => {
    const workspace = await testWorkspace({ sources: { academy: {}, campus: {} } });
    const bad = exportRow(2, { email: BROKEN });
    workspace.drop('a.csv', csvOf([exportRow(1), bad]));
    workspace.drop('b.csv', csvOf([exportRow(3), bad]), 'campus');
    await workspace.run();
    const markOf = (dropId: number) =>
      workspace.query<{ mark: string }>(
        `select drop_id || '-' || substr(sha256, 1, 12) as mark from drop_file where drop_id = ${dropId}`,
      )[0]?.mark ?? '';
    const sheet = (dropId: number, line: number, email: string) => [
      ['Email', 'Course ID', 'Completed on', 'Score', 'Status', '_row', '_drop'],
      [email, bad.course, bad.at, String(bad.score), bad.status, String(line), markOf(dropId)],
    ];
    const wrong = sheet(2, 3, 'still nobody');
    const corrections = { 'Correct academy': sheet(1, 3, 'ada@example.org'), 'Correct campus': wrong };
    workspace.drop('mended.xlsx', await workbookOf(corrections));
    await workspace.run();
    await workspace.cli('purge', '--before', now(), '--archive');
    expect(workspace.files('archive')).toEqual(['academy/correction-1-mended.xlsx', 'campus/2-b.csv']);
    workspace.drop('again.xlsx', await workbookOf({ 'Correct campus': sheet(2, 3, 'bob@example.org') }));
    await workspace.run();
    await workspace.cli('purge', '--before', now(), '--archive');
    expect(workspace.files('archive')).toEqual([]);
    expect(workspace.query('select count(cells) as kept, count(*) as rows from corrected_row')).toEqual([
      { kept: 0, rows: 3 },
    ]);
    expect(await workspace.books()).toMatchObject({ balanced: true, attention: 0 });
  },
);
