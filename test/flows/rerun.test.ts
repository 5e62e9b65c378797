import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { documentOf, type ReportDocument, testWorkspace } from '../support/workspace.js';

interface Selection {
  readonly dryRun: boolean;
  readonly selected: readonly {
    readonly submissionId: number;
    readonly state: string;
    readonly code: string;
  }[];
}

const ADA = 'ada@example.org';
const BEA = 'bea@example.org';

describe('learners the platform does not know', () => {
  it('are asked about once, their other rows are held, and a rerun delivers all once they are known', async () => {
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
    expect(status.stdout).toMatch(/2 learners, 4 rows +main +20\d\d-\S+Z +0\nregistrar map/);

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

  it('once one of their rows is accepted, get the held ones delivered without a person', async () => {
    const unknown = [ADA];
    const workspace = await testWorkspace({ sandbox: { learners: { unknown } } });
    workspace.drop('a.csv', csvOf([exportRow(10, { email: ADA })]));
    await workspace.cli('run');
    workspace.drop('b.csv', csvOf([exportRow(12, { email: ADA }), exportRow(13, { email: ADA })]));
    await workspace.cli('run');
    unknown.splice(0);
    const rerun = await workspace.cli('rerun', '--state', 'rejected', '--json');
    expect(documentOf<ReportDocument & { moved: number }>(rerun)).toMatchObject({
      moved: 1,
      states: { accepted: 3, held: 0 },
    });
  });
});

describe('a rerun', () => {
  it('takes only the states, reasons, learners and rows it is told', async () => {
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

  it('without a selection is refused with the options there are', async () => {
    const workspace = await testWorkspace();
    const { code, stderr } = await workspace.cli('rerun');
    expect(code).toBe(2);
    expect(stderr).toMatch(/rerun needs to know which rows.*--state.*--all/);
  });
});
