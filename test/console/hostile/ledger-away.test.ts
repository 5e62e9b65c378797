import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addToken } from '../../../src/actions/access/tokens.js';
import { addressesOf, formAddressesOf, programAddressesOf } from '../../support/console-addresses.js';
import { decider } from '../../support/decider.js';
import { PLAIN_WORDS, wordedConsole } from '../../support/worded-console.js';

it.each(['moved away', 'replaced'])(
  'once the ledger was %s, no page shows it and nothing is decided',
  async (how) => {
    const { as, known, context, workspace, url, failures } = await wordedConsole(PLAIN_WORDS);
    const { secret } = await addToken(context, { name: 'job', role: 'operator' }, decider('ada'));
    const seen = known();
    const ada = as('ada');
    await ada.get('/files');
    const ledger = join(workspace.root, 'registrar.db');
    copyFileSync(ledger, `${ledger}.copy`);
    renameSync(ledger, `${ledger}.away`);
    if (how === 'replaced') copyFileSync(`${ledger}.copy`, ledger);
    for (const path of addressesOf(seen)) {
      const answer = await ada.get(path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 503, expect.stringContaining(how)]);
    }
    for (const path of formAddressesOf(seen)) {
      const answer = await ada.post(path, { because: 'so', source: 'academy', name: 'x.csv' });
      expect([path, answer.status]).toEqual([path, 503]);
    }
    for (const path of programAddressesOf(seen)) {
      const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${secret}` } });
      expect([path, answer.status]).toEqual([path, path.endsWith('openapi.json') ? 200 : 503]);
    }
    rmSync(ledger, { force: true });
    renameSync(`${ledger}.away`, ledger);
    expect((await ada.get('/')).status).toBe(200);
    expect(failures).toEqual([]);
  },
);
