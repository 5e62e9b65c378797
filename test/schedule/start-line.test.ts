import { expect, it } from 'vitest';
import { jobName } from '../../src/config/values/job-name.js';
import { readJobs, registerJobs } from '../../src/ledger/leases/jobs.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { signOn } from '../../src/ledger/leases/services.js';
import { startLine } from '../../src/schedule/start-line.js';
import { changingConsole } from '../support/changing-console.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRow } from '../support/exports.js';
import { mustLease } from '../support/staged-ledger.js';
import { testWorkspace } from '../support/workspace.js';
import { workspaceContext } from '../support/workspace-context.js';

const LINE = { cron: '0 6 * * *', timeZone: 'UTC', missed: 'each', do: ['run'] };

async function opened() {
  const workspace = await testWorkspace({ schedule: [LINE] });
  const context = await workspaceContext(workspace);
  const [entry] = context.config.schedule;
  if (entry === undefined) throw new Error('there is a line');
  const runs: number[] = [];
  const begun = (runId: number) => void runs.push(runId);
  const stop = new AbortController().signal;
  const start = () => startLine(context, { entry, who: decider('ada'), stop, onStart: begun });
  return { workspace, context, job: jobName(entry), start, runs };
}

it('a line that a person starts leaves its missed times due, and is done once at a time', async () => {
  const { workspace, context, job, start, runs } = await opened();
  const { ledger } = context;
  await registerJobs(ledger, [job]);
  const before = await readJobs(ledger, [job]);
  workspace.drop('a.csv', csvOf([exportRow(0)]));
  expect(await start()).toEqual({ runId: 1, exit: 'done', troubles: [] });
  expect([workspace.states(), runs]).toEqual([{ accepted: 1 }, [1]]);
  expect(await readJobs(ledger, [job])).toEqual(before);

  await mustLease(ledger, `job:${job}`);
  await expect(start()).rejects.toThrow(/is working on it/);
  const events = workspace.query("select subject from audit_event where kind = 'start-line'");
  expect(events).toEqual([{ subject: job }]);
});

it('a running service delivers the rows that a started line imports', async () => {
  const { workspace, context, start } = await opened();
  await signOn(context.ledger, thisProcess());
  workspace.drop('a.csv', csvOf([exportRow(0)]));
  expect(await start()).toMatchObject({ runId: 1 });
  expect(workspace.states()).toEqual({ waiting: 1 });
  await workspace.run();
});

it('a paused line shows why, and can’t be started', async () => {
  const { page, visitor } = await changingConsole({ schedule: [{ ...LINE, paused: 'an audit' }] });
  const { text, markup } = await page('/schedule');
  expect(text).toContain('paused an audit');
  expect(markup).not.toContain('Run now');
  expect(markup).toContain('href="/settings/schedule/0">Resume');
  // A page with a form has its token.
  await page('/files');
  const answer = await visitor.post('/schedule/start', { line: 'run at 0 6 * * * UTC' });
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('This line is paused')]);
});
