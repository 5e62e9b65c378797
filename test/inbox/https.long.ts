import { describe, expect, it } from 'vitest';
import { httpsServer } from '../support/https-server.js';
import { sampled } from '../support/samples.js';
import { conditional, csv, readerOf } from './https-setup.js';

describe('a fetch from an address that is killed', () => {
  it('at any of its moments, run after run, brings each row in once', async () => {
    const server = await httpsServer();
    const workspace = await readerOf(server);
    const moments = sampled(['remote-downloaded', 'remote-placed', 'remote-recorded', 'drop-published'], 1);
    for (const [index, moment] of moments.entries()) {
      server.answer(conditional(csv(3, index * 3), 'etag'));
      const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: moment }, 'run').ended;
      expect([moment, killed.code]).toEqual([moment, null]);
      await workspace.run();
      expect(workspace.states()).toEqual({ accepted: 3 * (index + 1) });
      expect(workspace.files('inbox').filter((name) => !name.endsWith('.part'))).toEqual([]);
    }
  });
});
