import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { closeWorkspace, openWorkspace, readWorkspace } from '../../src/actions/context.js';
import { carryOut } from '../../src/actions/run.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRows } from '../support/exports.js';
import { testWorkspace } from '../support/workspace.js';

const ENV = { REGISTRAR_CLIENT_ID: 'sandbox-client', REGISTRAR_CLIENT_SECRET: 'sandbox-secret' };

it('a run leaves nothing behind at the signal of the service that it belongs to', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf(exportRows(3)));
  const context = await openWorkspace(readWorkspace(workspace.root, { env: ENV, cwd: workspace.root }));
  const service = new AbortController();
  const watch = { interrupt: service.signal, onStage: () => {}, onEstimate: () => {}, onPush: () => {} };
  const request = { trigger: 'cron', sources: [], confirmed: [], intake: true, push: true } as const;
  for (const maxDurationMs of [null, 60_000]) {
    const { exit } = await carryOut(context, { ...request, maxDurationMs }, decider('ada'), watch);
    expect(exit).toBe('done');
    expect(getEventListeners(service.signal, 'abort')).toEqual([]);
  }
  await closeWorkspace(context);
});
