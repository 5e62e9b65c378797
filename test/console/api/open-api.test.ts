import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { openApi } from '../../../src/console/api/open-api.js';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import { faultsOfDocument } from '../../support/api.js';
import { fuzz } from '../../support/api-fuzz.js';
import { deliveredApi } from '../../support/delivered-api.js';

it('the document of the interface is valid OpenAPI 3.1, and a linter finds no fault in it', async () => {
  expect(await faultsOfDocument()).toEqual([]);
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(openApi(OPERATIONS)), config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

it('no request finds a bug, or an answer that the document doesn’t describe', async () => {
  const { operator, api } = await deliveredApi();
  const answered = await fuzz(operator, { seed: 7, requests: 120 });
  expect(OPERATIONS.filter(({ id }) => !answered.has(id))).toEqual([]);
  const done = [...answered].filter(([, statuses]) => statuses.has(200) || statuses.has(202));
  // The requests were not only refused.
  expect(done.length).toBeGreaterThan(4);
  expect(api.failures).toEqual([]);
});
