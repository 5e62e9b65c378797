import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import { csvOf, DEFAULT_COLUMNS, exportRows } from '../support/exports.js';
import { statsOf } from '../support/sandbox-stats.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace, until } from '../support/workspace.js';
import { type CopyDocument, database, killedInTheMiddle, SLOW, worked } from './ledger-copy-setup.js';

/** Makes a workspace continue with another kind of ledger, as docs/deploy.md says. */
function goOnWith(workspace: TestWorkspace, kind: 'file' | 'database' = 'database'): void {
  const file = join(workspace.root, 'registrar.yaml');
  const { ledger: _, workspace: __, ...config } = JSON.parse(readFileSync(file, 'utf8'));
  const database = { ledger: '${REGISTRAR_LEDGER_URL}', workspace: 'test' };
  writeFileSync(file, JSON.stringify({ ...config, ...(kind === 'database' ? database : {}) }));
}

const proofs = ({ tables }: CopyDocument) => tables.map(({ table, rows, sha256 }) => [table, rows, sha256]);

describe('registrar ledger copy', () => {
  it('takes a ledger from a file into a database and back, and every table is the same', SLOW, async () => {
    const workspace = await worked();
    const url = await database();
    const there = documentOf<CopyDocument>(
      await workspace.cliWith({ NEW_LEDGER: url }, 'ledger', 'copy', '--to', '${NEW_LEDGER}', '--json'),
    );
    expect(there).toMatchObject({ balanced: true, doubted: 0, working: [], submissions: 12 });
    expect(there.tables.filter(({ rows }) => rows > 0).map(({ table }) => table)).toEqual(
      expect.arrayContaining(['attempt', 'decision', 'issue', 'ledger', 'permit', 'row', 'transition']),
    );
    // The workspace continues with the database: what it knew is known there.
    goOnWith(workspace);
    renameSync(join(workspace.root, 'registrar.db'), join(workspace.root, 'before.db'));
    const env = { REGISTRAR_LEDGER_URL: url };
    const back = join(workspace.root, 'back.db');
    const copied = await workspace.cliWith(env, 'ledger', 'copy', '--to', back, '--json');
    expect(proofs(documentOf(copied))).toEqual(proofs(there));
    // A copy of a file is the same as well.
    const again = join(workspace.root, 'again.db');
    expect(
      proofs(documentOf(await workspace.cliWith(env, 'ledger', 'copy', '--to', again, '--json'))),
    ).toEqual(proofs(there));

    const before = workspace.posts();
    const { code, stderr } = await workspace.cliWith(env, 'run', '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(workspace.posts() - before).toBe(5);
    // The same file again has nothing new.
    workspace.drop('again.csv', csvOf(exportRows(5, 100)));
    expect((await workspace.cliWith(env, 'run')).code).toBe(0);
    expect(workspace.posts() - before).toBe(5);
    const report = documentOf(await workspace.cliWith(env, 'report', '--json'));
    expect(report).toMatchObject({ balanced: true, states: { accepted: 11, dismissed: 1 } });

    // And with a file again.
    const home = join(workspace.root, 'registrar.db');
    expect((await workspace.cliWith(env, 'ledger', 'copy', '--to', home)).code).toBe(0);
    goOnWith(workspace, 'file');
    workspace.drop('once more.csv', csvOf(exportRows(5, 100), DEFAULT_COLUMNS, ';'));
    expect((await workspace.run()).report).toMatchObject({ exit: 'done', dispositions: { duplicate: 5 } });
    expect(workspace.posts() - before).toBe(5);
    expect(statsOf(workspace.sandbox.platform)).toMatchObject({ overQuota: 0, repeatedWrites: 0 });
  });

  it(
    'a copy made while a run delivers is of one moment, names the process, and has the rows under way in doubt',
    SLOW,
    async () => {
      const workspace = await testWorkspace({
        sandbox: { quota: { requests: 5, perMs: 500 }, faults: { latencyMs: 1_000 } },
        skipReceivedCheck: 'it is killed',
      });
      workspace.drop('a.csv', csvOf(exportRows(30)));
      await workspace.run('--no-push');
      const running = workspace.start('run', '--json');
      await until('5 requests have arrived', () => workspace.posts() >= 5);
      const file = join(tempFolder(), 'copy.db');
      const copied = await workspace.cli('ledger', 'copy', '--to', file, '--json');
      const document = documentOf<CopyDocument>(copied);
      expect([copied.code, document]).toMatchObject([0, { balanced: true, working: [running.pid] }]);
      expect(document.doubted).toBeGreaterThan(0);
      const copy = openLedger(file, systemClock());
      const { submissions } = await readState(copy, ['submissions']);
      closeLedger(copy);
      expect(submissions.filter(({ state }) => state === 'sending')).toEqual([]);
      expect(submissions).toContainEqual(
        expect.objectContaining({ state: 'in-doubt', count: document.doubted }),
      );
      const text = (await workspace.cli('ledger', 'copy', '--to', `${file}.2`)).stdout;
      expect(text).toMatch(/It has no later changes/);
      expect(text).toMatch(
        /Process \d+ works on the ledger\. To switch to the copy, stop every service and run/,
      );
      expect(documentOf(await running.ended)).toMatchObject({ exit: 'done', states: { accepted: 30 } });
    },
  );

  it(
    'a workspace runs neither with two ledgers nor with a copy that is older than its file',
    SLOW,
    async () => {
      const workspace = await worked();
      const url = await database();
      const env = { REGISTRAR_LEDGER_URL: url };
      expect((await workspace.cliWith(env, 'ledger', 'copy', '--to', '${REGISTRAR_LEDGER_URL}')).code).toBe(
        0,
      );
      await workspace.run();
      goOnWith(workspace);
      const two = await workspace.cliWith(env, 'run');
      expect([two.code, two.stderr]).toEqual([
        74,
        expect.stringMatching(/has two ledgers: .*registrar\.db, and the/),
      ]);
      renameSync(join(workspace.root, 'registrar.db'), join(workspace.root, 'before.db'));
      const posts = workspace.posts();
      const behind = await workspace.cliWith(env, 'run');
      expect([behind.code, behind.stderr]).toEqual([74, expect.stringMatching(/is older than before/)]);
      const other = await workspace.cliWith({ REGISTRAR_LEDGER_URL: await database() }, 'run');
      expect([other.code, other.stderr]).toEqual([
        74,
        expect.stringMatching(/is not this workspace's ledger/),
      ]);
      expect(workspace.posts()).toBe(posts);
    },
  );

  it('refuses what is not empty, and says what to do', SLOW, async () => {
    const workspace = await worked();
    const url = await database();
    const env = { NEW_LEDGER: url };
    const file = join(workspace.root, 'there.db');
    writeFileSync(file, 'something');
    const copy = (to: string) => workspace.cliWith(env, 'ledger', 'copy', '--to', to);
    const outcomes = async (to: string) => {
      const { code, stderr } = await copy(to);
      return [code, stderr.split('\n')[0]];
    };
    expect(await outcomes(file)).toEqual([2, expect.stringMatching(/there\.db already exists\./)]);
    expect(readFileSync(file, 'utf8')).toBe('something');
    expect(await outcomes(join(workspace.root, 'registrar.db'))).toEqual([
      2,
      expect.stringMatching(/already exists/),
    ]);
    expect(await outcomes(workspace.root)).toEqual([74, expect.stringMatching(/is a folder/)]);
    expect((await copy('${NEW_LEDGER}')).code).toBe(0);
    expect(await outcomes('${NEW_LEDGER}')).toEqual([
      2,
      expect.stringMatching(/t_\w+ at .* is not empty: its table /),
    ]);
  });

  it('no address shows its password, whatever is wrong with it', SLOW, async () => {
    const workspace = await worked();
    const server = new URL(await database());
    const of = (change: (url: URL) => void) => {
      const url = new URL(server);
      url.password = 'hunter2';
      change(url);
      return url.href;
    };
    const codes: (number | null)[] = [];
    for (const [to, address] of [
      [of(() => {}), ''],
      ['mysql://root:hunter2@db.example/registrar', ''],
      ['postgres://root:hunter2@db.example', ''],
      ['${UNSET}', ''],
      [
        '${ADDRESS}',
        of((url) => {
          url.pathname = '/missing';
        }),
      ],
      [
        '${ADDRESS}',
        of((url) => {
          url.username = 'nobody';
        }),
      ],
      [
        '${ADDRESS}',
        of((url) => {
          url.port = '1';
        }),
      ],
      ['${ADDRESS}', 'https://root:hunter2@db.example/x'],
    ] as const) {
      const { code, stdout, stderr } = await workspace.cliWith(
        { ADDRESS: address },
        'ledger',
        'copy',
        '--to',
        to,
        '--json',
      );
      codes.push(code);
      expect(stdout + stderr).not.toContain('hunter2');
      expect(stderr).not.toMatch(/a bug in Registrar/);
    }
    expect(codes).toEqual([2, 2, 2, 2, 74, 74, 74, 2]);
  });

  it.each(['file'] as const)(
    'killed in the middle, a copy into a %s leaves nothing, and can be made again',
    SLOW,
    killedInTheMiddle,
  );
});
