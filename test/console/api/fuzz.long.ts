import { expect, it } from 'vitest';
import { fuzz } from '../../support/api-fuzz.js';
import { deliveredApi } from '../../support/delivered-api.js';

/** How long requests are made up: `FUZZ_SECONDS`, else five minutes. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 300);

it('no request finds a bug, or an answer that the document doesn’t describe', async () => {
  const end = Date.now() + SECONDS * 1_000;
  const first = Number(process.env.FUZZ_FROM ?? Math.floor(Math.random() * 2 ** 30));
  for (let seed = first; Date.now() < end; seed += 1) {
    const { operator, api } = await deliveredApi();
    await fuzz(operator, { seed, requests: 200 }).catch((error: Error) => {
      throw new Error(`seed ${seed}: ${error.message}`);
    });
    expect([seed, api.failures]).toEqual([seed, []]);
    await api.close();
  }
}, 3_600_000);
