import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import { answeredOperations, faultsOfDocument, testApi } from '../../support/api.js';
import { testWorkspace } from '../../support/workspace.js';

it('the document of the interface is valid OpenAPI 3.1', async () => {
  expect(await faultsOfDocument()).toEqual([]);
});

it('status and health are the documents of the command line', async () => {
  const workspace = await testWorkspace();
  workspace.drop('bad.csv', 'Who,What\nada,C-1\n');
  await workspace.run();
  const { client } = await testApi(workspace);
  const [viewer, operator] = [await client('viewer'), await client('operator')];
  const { document } = await operator.get('/status');
  const printed = JSON.parse((await workspace.cli('status', '--json')).stdout);
  expect(document).toEqual(printed);
  const masked = JSON.stringify((await viewer.get('/status')).document);
  expect([masked.includes('the first is line 1'), masked.includes('Who')]).toEqual([true, false]);
  expect((await viewer.get('/health')).document).toEqual({ healthy: true, exit: 'done', problems: [] });
});

it('every answer that the document describes has been given here', () => {
  const described = OPERATIONS.flatMap(({ id, answers }) =>
    Object.keys(answers).map((status) => `${id} ${status}`),
  );
  expect(described.filter((one) => !answeredOperations.has(one))).toEqual([]);
});
