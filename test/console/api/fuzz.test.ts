import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import { fuzz } from '../../support/api-fuzz.js';
import { deliveredApi } from '../../support/delivered-api.js';

it('no request finds a bug, or an answer that the document doesn’t describe', async () => {
  const { operator, api } = await deliveredApi();
  const answered = await fuzz(operator, { seed: 7, requests: 250 });
  expect(OPERATIONS.filter(({ id }) => !answered.has(id))).toEqual([]);
  const done = [...answered].filter(([, statuses]) => statuses.has(200) || statuses.has(202));
  // Not only refusals were looked at.
  expect(done.length).toBeGreaterThan(OPERATIONS.length / 3);
  expect(api.failures).toEqual([]);
});
