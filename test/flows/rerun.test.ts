import { describe, expect, it } from 'vitest';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { documentOf, type ReportDocument, testWorkspace } from '../support/workspace.js';
import { withLedger } from '../support/workspace-ledger.js';

interface Selection {
  readonly dryRun: boolean;
  readonly selected: readonly {
    readonly submissionId: number;
    readonly state: string;
    readonly code: string;
  }[];
}

interface Outlook extends Selection {
  readonly count: number;
  readonly selected: readonly (Selection['selected'][number] & {
    readonly behind: number | null;
    readonly replacedBy: number | null;
  })[];
}

const ADA = 'ada@example.org';
const BEA = 'bea@example.org';

describe('learners the platform does not know', () => {
  it('spend one request, their other rows are held, and a rerun delivers all once they are known', async () => {
    const unknown = [ADA, BEA];
    const workspace = await testWorkspace({ sandbox: { learners: { unknown } } });
    workspace.drop(
      'a.csv',
      csvOf([...exportRows(3), exportRow(10, { email: ADA }), exportRow(11, { email: BEA })]),
    );
    const first = await workspace.run();
    expect(first.code).toBe(1);
    expect(first.report.states).toMatchObject({ accepted: 3, rejected: 2, held: 0 });
    expect(first.report.unknownLearners).toEqual({ learners: 2, rows: 2 });

    workspace.drop('b.csv', csvOf([exportRow(12, { email: ADA }), exportRow(13, { email: BEA })]));
    const second = await workspace.run();
    expect(second.code).toBe(1);
    expect(second.report.states).toMatchObject({ held: 2, waiting: 0 });
    expect(second.report.causes).toMatchObject([{ code: 'learner-unknown', state: 'held', count: 2 }]);
    expect(workspace.posts()).toBe(5);

    const status = await workspace.cli('status');
    expect(status.stdout).toMatch(
      / > registrar map\n[\s\S]*\nmain doesn't know 2 learners \(4 rows\); next recheck /,
    );

    const before = workspace.states();
    const dry = await workspace.cli('rerun', '--all', '--dry-run', '--json');
    const { dryRun, selected } = documentOf<Selection>(dry);
    expect({ code: dry.code, dryRun }).toEqual({ code: 0, dryRun: true });
    expect(selected.map(({ state, code }) => `${state} ${code}`)).toEqual([
      'rejected learner-unknown',
      'rejected learner-unknown',
      'held learner-unknown',
      'held learner-unknown',
    ]);
    expect(workspace.query('select * from decision')).toEqual([]);
    expect(workspace.states()).toEqual(before);

    unknown.splice(0);
    const rerun = await workspace.cli('rerun', '--all', '--because', 'provisioned today', '--json');
    expect(rerun.code).toBe(0);
    expect(documentOf<ReportDocument & { moved: number }>(rerun)).toMatchObject({
      moved: 4,
      balanced: true,
      states: { accepted: 4, rejected: 0, held: 0 },
    });
    expect(workspace.sandbox.platform.completions()).toHaveLength(7);
    expect(workspace.query('select kind, because from decision')).toEqual([
      { kind: 'rerun', because: 'provisioned today' },
    ]);
  });

  it('once one of their rows is accepted, get the held ones delivered by the next run without a person', async () => {
    const unknown = [ADA];
    const workspace = await testWorkspace({ sandbox: { learners: { unknown } } });
    workspace.drop('a.csv', csvOf([exportRow(10, { email: ADA })]));
    await workspace.cli('run');
    workspace.drop('b.csv', csvOf([exportRow(12, { email: ADA }), exportRow(13, { email: ADA })]));
    await workspace.cli('run');
    unknown.splice(0);
    const rerun = await workspace.cli('rerun', '--state', 'rejected', '--json');
    expect(documentOf<ReportDocument & { moved: number }>(rerun)).toMatchObject({ moved: 1 });
    expect(workspace.states()).toEqual({ accepted: 1, waiting: 2 });
    await workspace.run();
    expect(workspace.states()).toEqual({ accepted: 3 });
  });
});

describe('a rerun', () => {
  it('of 3 rows delivers these and ends, and leaves 10 others that wait to the next run', async () => {
    const unknown = [1, 2, 3].map((n) => `unknown${n}@example.org`);
    const workspace = await testWorkspace({ sandbox: { learners: { unknown } } });
    workspace.drop('a.csv', csvOf(unknown.map((email, n) => exportRow(n, { email }))));
    await workspace.run();
    workspace.drop('b.csv', csvOf(exportRows(10, 10)));
    await workspace.run('--no-push');
    unknown.splice(0);

    const rerun = await workspace.cli('rerun', '--all');
    expect({ code: rerun.code, stderr: rerun.stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('3 rows wait again.\n'),
    });
    expect(rerun.stdout).toMatch(/^10 rows wait for main: .*; the next registrar run delivers them\.$/m);
    expect(workspace.posts()).toBe(6);
    expect(workspace.states()).toEqual({ accepted: 3, waiting: 10 });
    await workspace.run();
    expect(workspace.states()).toEqual({ accepted: 13 });
  });

  it('sends the waiting rows that go first in a chosen row’s slot, and reports them', async () => {
    const workspace = await testWorkspace({
      sandbox: { faults: { schedule: [{ kind: 'server-error', match: 'BAD-1', times: 2 }] } },
      environments: { main: { retry: { tries: 2, first: '10ms', longest: '20ms' } } },
    });
    const row = (at: string) => exportRow(1, { course: 'BAD-1', at });
    workspace.drop('a.csv', csvOf([exportRow(4), row('2024-03-03 10:00:00')]));
    await workspace.run();
    workspace.drop('b.csv', csvOf([row('2024-03-01 10:00:00'), row('2024-03-02 10:00:00'), exportRow(5)]));
    await workspace.run('--no-push');
    expect(workspace.states()).toEqual({ accepted: 1, failed: 1, waiting: 3 });

    const dry = await workspace.cli('rerun', '--all', '--dry-run');
    expect(dry.stdout).toContain(
      '1 row goes after 1 older one of the same learner and content, which waits already',
    );
    const { stderr } = await workspace.cli('rerun', '--all');
    expect(stderr).toMatch(/^Before them goes #\d+: older, waiting, and of the same learner and content\.$/m);
    expect(workspace.states()).toEqual({ accepted: 4, waiting: 1 });
    const sent = workspace.query<{ at: string }>(
      "select occurred_at as at from submission_record join transition using (submission_id) where event = 'accepted' and content like '%BAD-1%' order by transition_id",
    );
    expect(sent.map(({ at }) => at.slice(0, 10))).toEqual(['2024-03-01', '2024-03-02', '2024-03-03']);
  });

  it('sends only the named states, reasons, learners and rows', async () => {
    const workspace = await testWorkspace({
      sandbox: {
        learners: { unknown: [ADA] },
        faults: { schedule: [{ kind: 'server-error', match: 'BAD-1', times: 2 }] },
      },
      environments: { main: { retry: { tries: 2, first: '10ms', longest: '20ms' } } },
    });
    workspace.drop(
      'a.csv',
      csvOf([...exportRows(3), exportRow(10, { email: ADA }), exportRow(20, { course: 'BAD-1' })]),
    );
    await workspace.cli('run');
    workspace.drop('b.csv', csvOf([exportRow(11, { email: ADA })]));
    await workspace.cli('run');
    expect(workspace.states()).toEqual({ accepted: 3, rejected: 1, held: 1, failed: 1 });

    const select = async (...options: string[]) => {
      const result = await workspace.cli('rerun', '--dry-run', '--json', ...options);
      return documentOf<Selection>(result).selected.map(({ state }) => state);
    };
    expect(await select('--reason', 'learner-unknown')).toEqual(['rejected', 'held']);
    expect(await select('--learner', 'ADA@example.org')).toEqual(['rejected', 'held']);
    expect(await select('--content', 'BAD-1')).toEqual(['failed']);

    const rerun = await workspace.cli('rerun', '--state', 'failed', '--json');
    expect(rerun.code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 4, rejected: 1, held: 1 });
  });

  it('as a dry run only shows how many requests, how long, what it overrides and what would have to wait', async () => {
    const workspace = await testWorkspace({ sandbox: { learners: { unknown: [ADA] } } });
    workspace.drop('a.csv', csvOf([exportRow(10, { email: ADA }), exportRow(1)]));
    await workspace.run();
    workspace.drop('b.csv', csvOf([exportRow(12, { email: ADA }), exportRow(1, { score: 3 })]));
    await workspace.run();
    expect(workspace.states()).toEqual({ accepted: 1, rejected: 1, held: 2 });
    const dry = documentOf<Outlook>(await workspace.cli('rerun', '--all', '--dry-run', '--json'));
    expect(dry).toMatchObject({
      dryRun: true,
      count: 3,
      requests: 3,
      environments: [{ environment: 'main', requests: 3, estimatedMs: expect.any(Number) }],
      overrides: { 'learner-unknown': 1, amended: 1 },
      omitted: [],
    });
    expect(dry.selected.map(({ behind, replacedBy }) => [behind, replacedBy])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    const { stdout } = await workspace.cli('rerun', '--state', 'held', '--dry-run');
    expect(stdout).toMatch(
      /overrides amended[\s\S]*2 rows, 2 requests[\s\S]*2 requests to main, about \d+ s/,
    );
    expect(workspace.query('select * from decision')).toEqual([]);
  });

  it('shows the first fifty rows of many and the counts of all, and all of them with --json', async () => {
    const workspace = await testWorkspace({ sandbox: { learners: { unknown: [ADA] } } });
    const adasRows = (count: number, from: number) =>
      csvOf(exportRows(count, from).map((row) => ({ ...row, email: ADA })));
    workspace.drop('a.csv', adasRows(1, 0));
    await workspace.run();
    workspace.drop('a.csv', adasRows(59, 1));
    await workspace.run();
    expect(workspace.states()).toEqual({ rejected: 1, held: 59 });
    const { stdout } = await workspace.cli('rerun', '--all', '--dry-run');
    expect(stdout.match(/a\.csv:\d+/g)).toHaveLength(50);
    expect(stdout).toMatch(/and 10 more[\s\S]* 59 +held learner-unknown/);
    const { selected } = documentOf<Outlook>(await workspace.cli('rerun', '--all', '--dry-run', '--json'));
    expect(selected).toHaveLength(60);
  });

  it('selects rows imported before a time, and names unknown numbers, runs and files', async () => {
    const workspace = await testWorkspace({ sandbox: { learners: { unknown: [ADA] } } });
    workspace.drop('a.csv', csvOf([exportRow(1), exportRow(10, { email: ADA })]));
    await workspace.run();
    const count = async (...options: string[]) =>
      documentOf<Outlook>(await workspace.cli('rerun', '--dry-run', '--json', ...options)).count;
    expect(await count('--until', '2001-01-01')).toBe(0);
    expect(await count('--until', '2999-01-01')).toBe(1);
    const wrong: [readonly string[], RegExp][] = [
      [['--row', '1', '999999'], /there is no submission 999999\./],
      [['--run', '99'], /there is no run 99\. The latest is run 1\./],
      [['--file', 'b.csv'], /no file was imported as b\.csv/],
    ];
    for (const command of ['rerun', 'dismiss']) {
      for (const [options, sentence] of wrong) {
        const { code, stderr } = await workspace.cli(command, ...options, '--because', 'x');
        expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
      }
    }
    const numbers = workspace.query<{ id: number }>(
      "select submission_id as id from submission where state = 'accepted'",
    );
    const [{ id } = { id: 0 }] = numbers;
    const { stdout } = await workspace.cli('rerun', '--row', String(id));
    expect(stdout).toBe(
      `No row matches: rejected, failed, in-doubt and held rows named one by one.\nLeft out: #${id} is accepted. The platform has accepted it. To change what the platform has, drop a file with the corrected row.\nNothing was changed.\n`,
    );
  });

  it('says of each state that can’t be sent again why not', async () => {
    const workspace = await testWorkspace();
    const whys: [string, RegExp][] = [
      [
        'accepted',
        /"accepted" can't be rerun.*The platform has accepted it.*drop a file with the corrected row/,
      ],
      ['sending', /Its request is under way/],
      ['waiting', /It is waiting already/],
      ['dismissed', /An operator dismissed it.*trace/],
      ['replaced', /A newer row has replaced it/],
    ];
    for (const [state, why] of whys) {
      const { code, stderr } = await workspace.cli('rerun', '--state', state);
      expect([state, code, stderr]).toEqual([state, 2, expect.stringMatching(why)]);
    }
  });

  it('is finished by the next run if its process died', async () => {
    const workspace = await testWorkspace({ sandbox: { learners: { unknown: [] } } });
    workspace.drop('a.csv', csvOf([exportRow(1, { at: '2024-02-01 10:00:00' })]));
    await workspace.run();
    workspace.drop('b.csv', csvOf([exportRow(1, { at: '2024-01-01 10:00:00' })]));
    await workspace.run();
    expect(workspace.states()).toEqual({ accepted: 1, held: 1 });
    const facts = { kind: 'rerun' as const, who: decider('ada'), because: 'the older date', selection: {} };
    await withLedger(workspace, (ledger) => openDecision(ledger, { ...facts, filter: { states: ['held'] } }));
    expect((await workspace.run()).code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 2 });
    expect(workspace.query('select finished_at is not null as done from decision')).toEqual([{ done: 1 }]);
  });

  it('without a selection is refused with the available options', async () => {
    const workspace = await testWorkspace();
    const { code, stderr } = await workspace.cli('rerun');
    expect(code).toBe(2);
    expect(stderr).toMatch(/rerun needs to know which rows.*--state.*--all/);
  });
});
