import { expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { peopledConsole, read } from '../support/peopled-console.js';
import { testWorkspace, until } from '../support/workspace.js';
import { workspaceContext } from '../support/workspace-context.js';

it('a run that was started here says what waits, and only an operator can stop it', async () => {
  const workspace = await testWorkspace({ environments: { main: { quota: { requests: 2, per: '10s' } } } });
  workspace.drop('a.csv', csvOf(exportRows(6)));
  const { as, failures } = await peopledConsole(await workspaceContext(workspace));
  const ada = await as('operator');
  await ada.get('/files');
  expect((await read(await ada.post('/run', { source: 'academy' }))).to).toBe('/runs/1');
  await until('a row is delivered', () => workspace.states().accepted === 1);
  const page = await read(await ada.get('/runs/1'));
  expect(page.text).toMatch(/\d rows wait for main: .* of delivery, until/);
  expect(page.text).toContain('Stop');
  const otto = await as('auditor');
  expect((await read(await otto.get('/runs/1'))).markup).not.toContain('/runs/1/stop');
  expect((await otto.post('/runs/1/stop', {})).status).toBe(403);
  await ada.get('/runs/1');
  expect((await read(await ada.post('/runs/1/stop', {}))).to).toBe('/runs/1');
  const ending = () => workspace.query<{ ending: string | null }>('select ending from run')[0]?.ending;
  await until('the run has ended', () => ending() === 'interrupted');
  expect(workspace.states()).toMatchObject({ accepted: 1, waiting: 5 });
  expect((await read(await ada.get('/runs/1'))).markup).not.toContain('/runs/1/stop');
  expect(failures).toEqual([]);
});
