import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isoFromMs, systemClock } from '../../src/domain/clock.js';
import { sampled } from '../support/samples.js';
import { imbalancesOf, snapshotLedger } from '../support/snapshot-ledger.js';
import type { TestWorkspace } from '../support/workspace.js';
import { ledgerText } from '../support/workspace-ledger.js';
import { DISMISS, HERS, JANE, NEW_JANE, SLOW, STAGE, workspaceWithJane } from './killed-decisions-setup.js';

/** All that a decision may change, thousands of rows as a digest, and the decisions themselves but who made them and when. */
async function outcome(workspace: TestWorkspace) {
  const { query, states } = workspace;
  return {
    states: states(),
    submissions: sha256(
      query(
        `select drop_id, line, learner_hash as learner, content, occurred_at, revision, state, cause, repeats,
          record is null as erased, successor_id is null as last, decision_id from submission_record
          order by drop_id, line, learner, content, occurred_at, revision`,
      ),
    ),
    rows: sha256(query('select drop_id, line, disposition, submission_id, cells from row order by 1, 2')),
    decisions: query(
      'select kind, finished_at is not null as finished, result from decision order by decision_id',
    ),
    identifiers: query('select * from forget_identifier'),
    imbalances: await imbalancesOf(workspace),
  };
}

function sha256(rows: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

/** What is requested by itself, and then another command, which has to finish what was left of the first. */
async function undisturbed(workspace: TestWorkspace, asked: readonly string[], then: readonly string[]) {
  expect((await workspace.cli(...asked)).stderr).toBe('');
  await workspace.cli(...then);
  return outcome(workspace);
}

/** The same where the first is killed. */
async function killedAt(
  failpoint: string,
  workspace: TestWorkspace,
  asked: readonly string[],
  then: readonly string[],
) {
  const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: failpoint }, ...asked).ended;
  expect([failpoint, killed.code, killed.stderr]).toEqual([failpoint, null, '']);
  const [status] = workspace.query<{ open: number }>(
    'select count(*) as open from decision where finished_at is null',
  );
  expect(status).toEqual({ open: 1 });
  await workspace.cli(...then);
  return outcome(workspace);
}

const FAILPOINTS = sampled([
  'decision-opened:1',
  'page-committed:1',
  'decision-carried-out:1',
  'page-committed:2',
]);

const now = () => isoFromMs(systemClock().nowMs());

/** Decisions that are named in what `trace` says, by kind. */
async function decisionsTraced(workspace: TestWorkspace, what: string): Promise<readonly string[]> {
  const { stdout } = await workspace.cli('trace', what);
  const named = stdout.replace(/\s+/g, ' ').matchAll(/(\w+) of \S+ at \S+, decision \d+/g);
  return [...new Set([...named].map(([text]) => text))].map((text) => text.split(' ')[0] ?? '');
}

describe('a decision whose process is killed at any step is carried out, once, by another command', () => {
  it('a mapping', SLOW, async () => {
    const workspace = await workspaceWithJane();
    const restoreLedger = await snapshotLedger(workspace);
    const map = ['map', JANE, NEW_JANE, '--because', 'she has married'];
    const usual = await undisturbed(workspace, map, DISMISS);
    expect(usual.states).toMatchObject({ replaced: HERS });
    for (const failpoint of FAILPOINTS) {
      await restoreLedger();
      expect([failpoint, await killedAt(failpoint, workspace, map, DISMISS)]).toEqual([failpoint, usual]);
    }
    const [hers] = workspace.query<{ id: number }>(
      "select min(submission_id) as id from submission where state = 'replaced'",
    );
    expect(await decisionsTraced(workspace, `#${hers?.id}`)).toEqual(['map']);
  });

  it('a forget, which leaves nothing of the person or of whom it looked for', SLOW, async () => {
    const workspace = await workspaceWithJane();
    const restoreLedger = await snapshotLedger(workspace);
    const forget = ['forget', JANE, '--because', 'request 4711'];
    const usual = await undisturbedForget(workspace, forget);
    for (const failpoint of FAILPOINTS) {
      await restoreLedger();
      expect([failpoint, await killedAt(failpoint, workspace, forget, STAGE)]).toEqual([failpoint, usual]);
      expect(ledgerText(workspace)).not.toContain(JANE);
    }
    const [hers] = workspace.query<{ id: number }>(
      'select min(submission_id) as id from submission where record is null',
    );
    expect(await decisionsTraced(workspace, `#${hers?.id}`)).toEqual(['forget']);
  });

  it('a purge', SLOW, async () => {
    const workspace = await workspaceWithJane();
    const restoreLedger = await snapshotLedger(workspace);
    const purge = ['purge', '--before', now(), '--archive'];
    const usual = await undisturbed(workspace, purge, DISMISS);
    expect(workspace.query('select 1 from row where cells is null')).not.toEqual([]);
    for (const failpoint of FAILPOINTS) {
      await restoreLedger();
      expect([failpoint, await killedAt(failpoint, workspace, purge, DISMISS)]).toEqual([failpoint, usual]);
    }
    expect(workspace.files('archive')).toEqual(['academy/1-jane.csv']);
  });
});

/** It ends with 1: the file in archive/ names her. */
async function undisturbedForget(workspace: TestWorkspace, forget: readonly string[]) {
  expect((await workspace.cli(...forget)).code).toBe(1);
  await workspace.cli(...STAGE);
  return outcome(workspace);
}
