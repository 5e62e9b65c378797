import { describe, expect, it } from 'vitest';
import { killedAtMoments } from '../support/killed-copies.js';
import { testWorkspace } from '../support/workspace.js';
import { drops, ZIP } from './containers-setup.js';

describe('an import of a container that is killed', () => {
  const MOMENTS = [
    'container-unpacked:1',
    'drop-begun:1',
    'batch-committed:1',
    'drop-published:1',
    'drop-published:2',
    'drop-placed:1',
    'claimed-removed:1',
  ] as const;

  it('at any moment imports each row once, and leaves nothing that was unpacked', async () => {
    const killed = await testWorkspace();
    killed.drop('march.zip', ZIP);
    const copies = await killedAtMoments(killed, MOMENTS, 'run');
    expect(killed.posts()).toBe(0);
    for (const [moment, copy] of copies) {
      const workspace = await testWorkspace(copy);
      const { code } = await workspace.run();
      expect({
        moment,
        code,
        states: workspace.states(),
        drops: drops(workspace).map(({ state }) => state),
        archive: workspace.files('archive'),
        processing: workspace.files('processing'),
      }).toEqual({
        moment,
        code: 0,
        states: { accepted: 5 },
        drops: ['published', 'published'],
        // A number that a killed transaction has taken is never given again by a database.
        archive: [
          expect.stringMatching(copy.ledger ? /^academy\/\d-march\.zip$/ : /^academy\/1-march\.zip$/),
        ],
        processing: [],
      });
    }
  });
});
