import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largeCsv } from '../support/exports.js';
import { sampled, samples } from '../support/samples.js';
import { setSources } from '../support/set-sources.js';
import { cuttingPort, sharedSftpServer } from '../support/sftp-server.js';
import { smallFileSystem } from '../support/small-file-system.js';
import { until } from '../support/workspace.js';
import { killedFetches } from './killed-fetches.js';
import { archived, csv, readerOf, send, served } from './sftp-setup.js';

const sharedServer = sharedSftpServer();

/** More files than a server names in one answer. */
const MANY = 105;

describe('files of an SFTP server', { tags: ['sshd'] }, () => {
  it(`${MANY} of them come in by one run`, async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server, { originals: 'archive' });
    for (let index = 0; index < MANY; index += 1) {
      writeFileSync(join(server.folder, `file-${index}.csv`), csv(1, index));
    }
    const { report } = await workspace.run('--no-push');
    expect(report.dispositions.staged).toBe(MANY);
    expect(served(server)).toEqual([]);
    expect(archived(server)).toHaveLength(MANY);
  });
});

describe('an SFTP server that can not be used', { tags: ['sshd'] }, () => {
  it('because it breaks off at any byte costs no row, and no half file comes in', async () => {
    const server = await sharedServer();
    send(server, 'march.csv', largeCsv(50));
    // As the connection begins, and within the file.
    const examples = [...sampled([900, 2_500]), ...sampled([60_000, 300_000])].map((bytes): [number] => [
      bytes,
    ]);
    const isBroken = fc.asyncProperty(fc.integer({ min: 0, max: 500_000 }), async (bytes) => {
      const workspace = await readerOf(server, { port: await cuttingPort(server.port, bytes) });
      const broken = await workspace.run('--no-push');
      expect([broken.code, broken.report.rows]).toEqual([74, 0]);
      expect(workspace.files('inbox')).toEqual([]);
      setSources(workspace, { inbox: { sftp: server.settings } });
      expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(50);
    });
    await fc.assert(isBroken, { examples, numRuns: examples.length + samples(4) });
  });

  it('because its disk is full keeps the original until there is room, and its rows count once', {
    tags: ['mount'],
  }, async () => {
    const server = await sharedServer();
    // Its folder, the file of the sender and two more: there is no room for another folder.
    const folder = smallFileSystem({ entries: 4 });
    const workspace = await readerOf(server, { folder, originals: 'archive' });
    send({ ...server, folder }, 'march.csv', csv(2));
    for (const name of ['1.md', '2.md']) writeFileSync(join(folder, name), '');
    const unmatchedBy = ({ report }: { readonly report: object }) =>
      (report as { readonly unmatched: readonly object[] }).unmatched;
    const left = [
      { reason: expect.stringContaining('is left on the server: could not archive march.csv: ') },
    ];
    const full = await workspace.run();
    expect([full.code, full.report.states.accepted]).toEqual([1, 2]);
    expect(unmatchedBy(full)).toMatchObject(left);
    // Room for the folder alone: OpenSSH moves a file by a second name.
    rmSync(join(folder, '1.md'));
    expect(unmatchedBy(await workspace.run())).toMatchObject(left);
    expect(readdirSync(folder).sort()).toEqual(['2.md', 'archive', 'march.csv']);
    expect(archived({ ...server, folder })).toEqual([]);
    rmSync(join(folder, '2.md'));
    const settled = await workspace.run();
    expect([settled.code, unmatchedBy(settled)]).toEqual([0, []]);
    expect(archived({ ...server, folder })).toEqual(['march.csv']);
    expect(workspace.states()).toEqual({ accepted: 2 });
  });
});

describe('a fetch that is killed', { tags: ['sshd'] }, () => {
  it('at any of its moments, run after run, brings each row in once, and settles the originals', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server, { originals: 'archive' });
    const moments = sampled([
      'remote-downloaded',
      'remote-placed',
      'remote-recorded',
      'drop-published',
      'remote-settled',
    ]);
    await killedFetches(workspace, moments, (name, index) => send(server, name, csv(3, index * 3)));
    expect(served(server)).toEqual([]);
    expect(archived(server)).toEqual(moments.map((moment) => `${moment}.csv`).sort());
  });

  it('or done by two services at once brings each file in once', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server, { poll: '500ms' });
    const [here, apart] = [workspace.begin('schedule'), workspace.start('schedule')];
    for (let index = 0; index < 8; index += 1) send(server, `file-${index}.csv`, csv(1, index));
    await until('all rows are accepted', () => workspace.posts() >= 8 && workspace.states().accepted === 8);
    here.stop();
    apart.kill('SIGTERM');
    await Promise.all([here.ended, apart.ended]);
    expect(workspace.query('select count(*) as n from arrival')).toEqual([{ n: 8 }]);
  });
});
