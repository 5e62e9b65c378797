import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { isStopped } from '../support/is-stopped.js';
import { killedAtMoments } from '../support/killed-copies.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { imbalancesOf, snapshotLedger } from '../support/snapshot-ledger.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace, until } from '../support/workspace.js';

const REASON = ['--because', 'the disk broke'];

interface RestoreDocument {
  readonly aside: string | null;
  readonly doubted: number;
  readonly held: number;
  readonly unknownFiles: readonly string[];
}

const SET_BACK = {
  // After a restore the quota is left alone for two deadlines.
  environments: { main: { deadline: '5s' } },
  skipReceivedCheck: 'its ledger is set back',
};

/** Two of five rows delivered, a backup, then the other three and a second file: made once. */
const copy = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ ...SET_BACK, root });
  workspace.drop('a.csv', csvOf(exportRows(2)));
  await workspace.run();
  workspace.drop('b.csv', csvOf(exportRows(3, 10)));
  await workspace.run('--no-push');
  expect((await workspace.cli('backup', join(root, 'kept.db'))).code).toBe(0);
  workspace.drop('c.csv', csvOf(exportRows(2, 20)));
  await workspace.run();
  expect(workspace.posts()).toBe(7);
  return workspace;
});

/** A copy of it, with a platform that has received nothing yet. */
async function copyOfDelivered(): Promise<{ workspace: TestWorkspace; backup: string }> {
  const workspace = await copy(SET_BACK);
  return { workspace, backup: join(workspace.root, 'kept.db') };
}

const restore = async (workspace: TestWorkspace, backup: string) => {
  const result = await workspace.cli('restore', backup, ...REASON, '--json');
  return { ...result, document: documentOf<RestoreDocument>(result) };
};

function damage({ root }: TestWorkspace): void {
  const path = join(root, 'registrar.db');
  writeFileSync(path, readFileSync(path).fill(0x55, 0, 40_000));
}

/** It opens, and some page of it is not what it should be. */
function damageDeep({ root }: TestWorkspace): void {
  const path = join(root, 'registrar.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x55, bytes.length - 16_384));
}

function remove({ root }: TestWorkspace): void {
  rmSync(join(root, 'registrar.db'));
}

/** In the order in which they come. */
const LAST_STEPS = ['ledger-linked:1', 'ledger-moved:1'] as const;

/** Several processes, each of which takes seconds on a busy machine. */
const SLOW = { timeout: 300_000 };

describe('registrar restore', () => {
  it(
    'holds waiting rows and new rows of earlier completions until a person finishes it, and sends nothing twice',
    SLOW,
    async () => {
      const { workspace, backup } = await copyOfDelivered();
      const { code, document } = await restore(workspace, backup);
      expect([code, document]).toEqual([
        1,
        expect.objectContaining({
          held: 3,
          doubted: 0,
          unknownFiles: ['archive/academy/3-c.csv'],
        }),
      ]);
      expect(await workspace.books()).toMatchObject({ balanced: true, states: { accepted: 2, held: 3 } });
      // The lost file comes again with rows of before and one that was completed since, an hour from now in Berlin.
      const later = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
      workspace.drop('d.csv', csvOf([...exportRows(2, 20), exportRow(30, { at: later })]));
      await workspace.run();
      // For the row that was completed since: what was delivered before is not sent twice.
      expect(workspace.posts()).toBe(1);
      expect(await workspace.books()).toMatchObject({ states: { accepted: 3, held: 5 } });
      const finished = await workspace.cli('restore', '--finish', '--because', 'looked them up', '--json');
      expect(documentOf(finished)).toEqual({ finished: 1 });
      workspace.drop('e.csv', csvOf(exportRows(1, 40)));
      await workspace.run();
      expect(await workspace.books()).toMatchObject({ states: { accepted: 4, held: 5 } });
      // What a person decides is sent, and counted as a possible repeat.
      await workspace.cli('rerun', '--reason', 'restored', '--because', 'not there');
      expect(workspace.posts()).toBe(7);
      const books = await workspace.books();
      expect(books).toMatchObject({ balanced: true, states: { accepted: 9, held: 0 } });
      expect(books.attempts.repeats).toBe(5);
      expect((await workspace.cli('backup', join(tempFolder(), 'again.db'))).code).toBe(0);
    },
  );

  it(
    'beside a damaged ledger, or none, holds all waiting rows: nothing is sent without a person',
    SLOW,
    async () => {
      const { workspace, backup } = await copyOfDelivered();
      const restoreLedger = await snapshotLedger(workspace);
      for (const damageLedger of [damage, damageDeep, remove]) {
        await restoreLedger();
        damageLedger(workspace);
        const { document } = await restore(workspace, backup);
        expect(document).toMatchObject({ held: 3 });
        expect(document.unknownFiles).toEqual(['archive/academy/3-c.csv']);
        workspace.drop('c.csv', csvOf(exportRows(2, 20)));
        await workspace.run();
        expect(workspace.posts()).toBe(0);
        expect(await workspace.books()).toMatchObject({ balanced: true, states: { accepted: 2, held: 5 } });
      }
    },
  );

  it('of a backup made while a request was under way leaves that in doubt', SLOW, async () => {
    const workspace = await testWorkspace({
      skipReceivedCheck: 'its ledger is set back',
      sandbox: { faults: { latencyMs: 5_000 } },
    });
    workspace.drop('a.csv', csvOf(exportRows(1)));
    const running = workspace.begin('run');
    await until('a request is under way', () => workspace.posts() === 1);
    const backup = join(tempFolder(), 'kept.db');
    await workspace.cli('backup', backup);
    await running.ended;
    renameSync(join(workspace.root, 'registrar.db'), join(workspace.root, 'elsewhere.db'));
    expect((await restore(workspace, backup)).document).toMatchObject({ doubted: 1, held: 0 });
    await workspace.run();
    expect([workspace.posts(), workspace.states()]).toEqual([1, { 'in-doubt': 1 }]);
  });

  it('keeps the ledger that was there, which can be restored in its turn', SLOW, async () => {
    const { workspace, backup } = await copyOfDelivered();
    const { aside } = (await restore(workspace, backup)).document;
    expect(aside).toMatch(/^registrar-before-restore-\d{8}T\d{9}Z\.db$/);
    const back = await restore(workspace, join(workspace.root, aside ?? ''));
    expect(back.document).toMatchObject({ held: 0 });
    expect(await workspace.books()).toMatchObject({ balanced: true, states: { accepted: 7 } });
  });

  it(
    'is refused while another process has the ledger open, and where the file is no sound backup',
    SLOW,
    async () => {
      const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger is set back' });
      workspace.drop('a.csv', csvOf(exportRows(10)));
      await workspace.run('--no-push');
      const running = workspace.startWith({ REGISTRAR_FAILPOINT: 'answer-recorded:5:stop' }, 'run');
      await until('5 answers are there', () => isStopped(running.pid));
      const backup = join(tempFolder(), 'kept.db');
      await workspace.cli('backup', backup);
      const cut = join(tempFolder(), 'cut.db');
      writeFileSync(cut, readFileSync(backup).subarray(0, 60_000));
      const text = join(tempFolder(), 'text.db');
      writeFileSync(text, 'no ledger');
      const empty = join(tempFolder(), 'empty.db');
      writeFileSync(empty, '');
      const refused: [readonly string[], number, RegExp][] = [
        [[backup, ...REASON], 2, /another process has .* open.*Nothing was changed/],
        [[cut, ...REASON], 74, /cut\.db is damaged.*Name another backup\. The ledger was not changed/],
        [[text, ...REASON], 74, /text\.db is damaged, or was never a ledger.*Name another backup/],
        [[empty, ...REASON], 74, /empty\.db is empty, so it is not a backup of a ledger/],
        [[join(workspace.root, 'nothing.db'), ...REASON], 2, /there is no file/],
        [[join(workspace.root, 'registrar.db'), ...REASON], 2, /is the ledger itself/],
        [[backup], 2, /needs a reason/],
        [[...REASON], 2, /needs a backup, --set-back or --finish/],
      ];
      for (const [args, code, sentence] of refused) {
        const result = await workspace.cli('restore', ...args);
        expect([args[0], result.code, result.stderr]).toEqual([
          args[0],
          code,
          expect.stringMatching(sentence),
        ]);
        expect(result.stderr).not.toContain('.tmp');
      }
      running.kill('SIGKILL');
      await running.ended;
      expect(workspace.files('.').filter((name) => /tmp|before-restore/.test(name))).toEqual([]);
      await workspace.run();
      expect(workspace.states()).toEqual({ accepted: 10 });
    },
  );

  it(
    'that is killed at its last steps leaves one ledger or the other, and goes through when it is repeated',
    SLOW,
    async () => {
      const { workspace: killed, backup } = await copyOfDelivered();
      const copies = await killedAtMoments(killed, LAST_STEPS, 'restore', backup, ...REASON);
      expect([...copies.keys()]).toEqual(LAST_STEPS);
      for (const [moment, copied] of copies) {
        const workspace = await testWorkspace({ ...SET_BACK, ...copied });
        if (moment === 'ledger-linked:1') expect(workspace.states()).toEqual({ accepted: 7 });
        expect((await restore(workspace, join(workspace.root, 'kept.db'))).document).toMatchObject({
          held: 3,
        });
        expect([workspace.states(), await imbalancesOf(workspace)]).toEqual([{ accepted: 2, held: 3 }, []]);
        expect(workspace.files('.').filter((name) => /\.tmp/.test(name))).toEqual([]);
      }
    },
  );

  it(
    'of another workspace’s backup is refused, until this workspace’s own ledger and its marker are moved away',
    SLOW,
    async () => {
      const { backup } = await copyOfDelivered();
      const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger is set back' });
      workspace.drop('x.csv', csvOf(exportRows(1, 90)));
      await workspace.run();
      const before = workspace.files('.');
      const { code, stderr } = await workspace.cli('restore', backup, ...REASON);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(
          /kept\.db is a backup of a different ledger than this workspace's.*--workspace DIR/,
        ),
      ]);
      expect([workspace.files('.'), workspace.states()]).toEqual([before, { accepted: 1 }]);
      for (const name of ['registrar.db', 'registrar.marker.json'])
        renameSync(join(workspace.root, name), join(tempFolder(), name));
      const restored = await restore(workspace, backup);
      expect([restored.code, restored.document]).toEqual([1, expect.objectContaining({ held: 3 })]);
    },
  );

  it('works in a new workspace, also after a first run that found nothing', SLOW, async () => {
    const { backup } = await copyOfDelivered();
    for (const isRunFirst of [false, true]) {
      const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger is set back' });
      if (isRunFirst) expect((await workspace.run()).code).toBe(0);
      const restored = await restore(workspace, backup);
      expect(restored).toMatchObject({ code: 1, document: { held: 3 } });
    }
  });

  it('works where the marker is damaged as well', SLOW, async () => {
    const { workspace, backup } = await copyOfDelivered();
    writeFileSync(join(workspace.root, 'registrar.marker.json'), 'no marker');
    expect((await restore(workspace, backup)).document).toMatchObject({ held: 3 });
  });

  it('counts people who were forgotten since, not identifiers, and lists the requests', SLOW, async () => {
    const { workspace, backup } = await copyOfDelivered();
    await workspace.cli('forget', exportRow(10).email, '--because', 'request 4711');
    await workspace.cli('forget', exportRow(11).email, '--because', 'request 4712');
    const [counted] = workspace.query<{ hashes: number }>('select count(*) as hashes from suppression');
    expect(counted?.hashes).toBeGreaterThan(2);
    const { stdout } = await workspace.cli('restore', backup, ...REASON);
    expect(stdout).toMatch(
      /^2 people were forgotten since, .*these requests:\n {2}\S+, \S+: request 4711\n {2}\S+, \S+: request 4712$/m,
    );
  });
});
