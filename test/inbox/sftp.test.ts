import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { connectProxy } from '../support/connect-proxy.js';
import { largeCsv } from '../support/exports.js';
import { setSources } from '../support/set-sources.js';
import { cuttingPort, type SftpFolder, sftpServer, sharedSftpServer } from '../support/sftp-server.js';
import { documentOf, testWorkspace } from '../support/workspace.js';
import { archived, csv, readerOf, send, served } from './sftp-setup.js';

interface StatusDocument {
  readonly health: { readonly findings: readonly { readonly code: string; readonly message: string }[] };
}

const unmatchedOf = ({ report }: { readonly report: object }) =>
  (report as { readonly unmatched: readonly { readonly code: string }[] }).unmatched;

const sharedServer = sharedSftpServer();

describe('files of an SFTP server', { tags: ['sshd'] }, () => {
  it('are fetched, delivered, and left where they are, and fetched again where they have other bytes', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server);
    send(server, 'march.csv', csv(3));
    send(server, 'notes.md', 'not for us');
    const scripts = ['年度.csv', 'März – ‹1›.csv', "o'neil $(x) `y`.csv"];
    for (const [index, name] of scripts.entries()) send(server, name, csv(1, 10 + index));
    const { code, report } = await workspace.run();
    expect(code).toBe(0);
    expect(report.states).toMatchObject({ accepted: 6 });
    expect(workspace.files('archive')).toContainEqual(expect.stringMatching(/^academy\/\d-march\.csv$/));
    expect(served(server)).toEqual(['march.csv', 'notes.md', ...scripts].sort());
    send(server, 'march.csv', csv(4));
    // A name that is no name for a file is reported and left: the second one is in another encoding.
    for (const name of ['c\nd.csv', 'a\tb.csv']) send(server, name, csv(1, 8));
    const latin = Buffer.concat([Buffer.from(`${server.folder}/`), Buffer.from('ä.csv', 'latin1')]);
    renameSync(join(server.folder, 'a\tb.csv'), latin);
    const again = await workspace.run();
    expect([again.code, unmatchedOf(again).map((file) => file.code)]).toEqual([1, ['bad-name', 'bad-name']]);
    expect(workspace.states()).toEqual({ accepted: 7 });
    // The others have the bytes that they had.
    expect(workspace.files('archive')).toHaveLength(5);
    expect(workspace.query('select count(*) as n from arrival')).toEqual([{ n: 5 }]);
    expect(workspace.files('inbox')).toEqual([]);
  });

  it('come through a proxy where the source names one, which gets only the name of the server', async () => {
    const server = await sharedServer();
    const proxy = await connectProxy({ credentials: 'ada:open sesame', speaksFirst: true });
    const address = (account: string) => `http://${account}127.0.0.1:${proxy.port}`;
    const workspace = await testWorkspace({
      env: { TUNNEL: address('ada:open%20sesame@') },
      sources: {
        academy: {
          inbox: { sftp: { ...server.settings, host: 'files.inside.example', proxy: '${TUNNEL}' } },
        },
      },
    });
    send(server, 'march.csv', csv(2));
    expect((await workspace.run()).report.states).toMatchObject({ accepted: 2 });
    expect([...new Set(proxy.targets)]).toEqual([`files.inside.example:${server.settings.port}`]);
    expect((await workspace.cli('source', 'test', 'academy')).code).toBe(0);

    setSources(workspace, {
      inbox: { sftp: { ...server.settings, host: 'files.inside.example', proxy: address('') } },
    });
    const { stderr } = await workspace.cli('run');
    expect(stderr).toContain('the proxy answers CONNECT with 407');
    expect(stderr).not.toContain('sesame');
  });

  it('are settled as their sources say once their rows count, and not before', async () => {
    const shared = await sharedServer();
    const folderOf = (name: string) => {
      const folder = join(shared.folder, name);
      mkdirSync(folder);
      return { folder, settings: { ...shared.settings, folder } };
    };
    const [archive, deleting, marked, later] = [folderOf('a'), folderOf('b'), folderOf('c'), folderOf('d')];
    const sources = {
      archive: { inbox: { sftp: { ...archive.settings, originals: 'archive' } } },
      delete: { inbox: { sftp: { ...deleting.settings, originals: 'delete' } } },
      marked: { inbox: { sftp: { ...marked.settings, originals: 'delete', doneMarker: '.done' } } },
      later: { inbox: { sftp: { ...later.settings, originals: 'leave', doneMarker: '.done' } } },
    };
    const workspace = await testWorkspace({ sources });
    for (const [index, server] of [archive, deleting].entries()) {
      send(server, 'good.csv', csv(2, 10 * index));
      send(server, 'bad.csv', 'nothing that is an export');
    }
    send(marked, 'march.csv', csv(2, 20));
    send(later, 'march.csv', csv(2, 30));
    send(later, 'march.csv.done', '');
    await workspace.run();
    expect(workspace.states()).toEqual({ accepted: 6 });
    const all = () => [archive, deleting, marked, later].map((server) => [served(server), archived(server)]);
    expect(all()).toEqual([
      [['bad.csv'], ['good.csv']],
      [['bad.csv'], []],
      // Left until its done-marker is there.
      [['march.csv'], []],
      [['march.csv', 'march.csv.done'], []],
    ]);
    // The same bytes under the same name once more are the same rows, and another file to settle.
    for (const [index, server] of [archive, deleting].entries()) send(server, 'good.csv', csv(2, 10 * index));
    send(marked, 'march.csv.done', '');
    const config = join(workspace.root, 'registrar.yaml');
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace('"originals": "leave"', '"originals": "delete"'),
    );
    const settled = await workspace.run();
    expect(all()).toEqual([
      [['bad.csv'], ['good (2).csv', 'good.csv']],
      [['bad.csv'], []],
      // The done-marker goes with its file.
      [[], []],
      [[], []],
    ]);
    expect(workspace.states()).toEqual({ accepted: 8 });
    // What is settled by a later run isn't looked for once more.
    expect([settled.code, unmatchedOf(settled)]).toEqual([0, []]);
  });

  it('are left while they grow', async () => {
    const server = await sharedServer();
    const workspace = await testWorkspace({
      sources: { academy: { stableFor: '300ms', inbox: { sftp: server.settings } } },
    });
    const lines = csv(400).split('\n');
    let length = 1;
    const grow = setInterval(() => {
      length = Math.min(lines.length, length + 1);
      writeFileSync(join(server.folder, 'march.csv'), lines.slice(0, length).join('\n'));
    }, 20);
    try {
      expect((await workspace.run()).report.rows).toBe(0);
      expect(workspace.files('inbox')).toEqual([]);
    } finally {
      clearInterval(grow);
    }
    writeFileSync(join(server.folder, 'march.csv'), lines.join('\n'));
    expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(400);
  });
});

describe('an SFTP server that can not be used', { tags: ['sshd'] }, () => {
  it('is an outage of its source, with since when; others go on, and it ends by itself', async () => {
    const server = await sftpServer();
    const workspace = await testWorkspace({
      sources: { academy: { inbox: { sftp: server.settings } }, campus: {} },
    });
    send(server, 'march.csv', csv(2));
    await server.stop();
    workspace.drop('own.csv', csv(1, 50), 'campus');
    const { code, stderr } = await workspace.run();
    expect(code).toBe(74);
    expect(stderr).toMatch(
      /SFTP server 127\.0\.0\.1:\d+ of source academy can't be reached: it refuses the connection/,
    );
    expect(workspace.states()).toEqual({ accepted: 1 });
    const away = documentOf<StatusDocument>(await workspace.cli('status', '--json'));
    expect(away.health.findings).toMatchObject([
      { code: 'inbox-away', since: expect.any(String), part: 'inbox' },
    ]);
    await server.start();
    expect((await workspace.run()).code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 3 });
    const back = documentOf<StatusDocument>(await workspace.cli('status', '--json'));
    expect(back.health.findings).toEqual([]);
  });

  it('with another host key gets no secret, and the source stops with a sentence', async () => {
    const server = await sftpServer();
    const workspace = await readerOf(server);
    send(server, 'march.csv', csv(2));
    await server.stop();
    server.changeHostKey();
    await server.start();
    const { code, stderr } = await workspace.run();
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /host key of 127\.0\.0\.1:\d+ has changed: it is SHA256:\S+, and source academy expects/,
    );
    expect(workspace.states()).toEqual({});
  });

  it('because it refuses the account ends a run with 4', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server, { user: 'daemon' });
    const { code, stderr } = await workspace.run();
    expect(code).toBe(4);
    expect(stderr).toContain("doesn't accept the account of source academy");
  });

  it('because it is killed while it sends costs no row, and its originals are settled once it is back', {
    tags: ['linux'],
  }, async () => {
    const server = await sftpServer();
    const port = await cuttingPort(server.port, 200_000, server.kill);
    const workspace = await readerOf(server, { port, originals: 'archive' });
    send(server, 'march.csv', largeCsv(50));
    const broken = await workspace.run('--no-push');
    expect([broken.code, broken.report.rows]).toEqual([74, 0]);
    expect(broken.stderr).toContain('closed the connection');
    expect(workspace.files('inbox')).toEqual([]);
    expect(served(server)).toEqual(['march.csv']);
    await server.start();
    setSources(workspace, { inbox: { sftp: { ...server.settings, originals: 'archive' } } });
    expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(50);
    expect(archived(server)).toEqual(['march.csv']);
  });

  it('lets files be read that the account may not move, and names them, and the right to a test of the source', async () => {
    const server = await sftpServer({ isReadOnly: true });
    const workspace = await readerOf(server, { originals: 'archive' });
    send(server, 'march.csv', csv(2));
    const read = await workspace.run();
    expect([read.code, read.report.states.accepted]).toEqual([1, 2]);
    expect(unmatchedOf(read)).toMatchObject([
      {
        code: 'unreadable',
        reason: expect.stringContaining('could not archive march.csv: permission denied'),
      },
    ]);
    const again = await workspace.run();
    expect([again.report.rows, unmatchedOf(again).length]).toEqual([0, 1]);
    setSources(workspace, { inbox: { sftp: { ...server.settings, originals: 'delete' } } });
    const test = await workspace.cli('source', 'test', 'academy');
    expect([test.code, test.stdout]).toEqual([74, expect.stringContaining('permission denied')]);
    // With an original that is to be settled too, an outage is notified once.
    await server.stop();
    const { stderr } = await workspace.run();
    expect(stderr.split("can't be reached")).toHaveLength(2);
  });

  it('because its folder is missing is reported by the folder’s name', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server, { folder: `${server.folder}/nowhere` });
    const { code, stderr } = await workspace.run();
    expect(code).toBe(74);
    expect(stderr).toContain('it does not exist');
  });
});

interface Checks {
  readonly checks: readonly { readonly verdict: string; readonly message: string; readonly remedy: string }[];
}

describe('registrar source test', { tags: ['sshd'] }, () => {
  it('prints the host key that is to be named, before anything is said about the account', async () => {
    const server = await sharedServer();
    const { hostKey, ...unnamed } = server.settings;
    const workspace = await testWorkspace({ sources: { academy: { inbox: { sftp: unnamed } } } });
    const { code, stdout } = await workspace.cli('source', 'test', 'academy');
    expect(code).toBe(2);
    expect(stdout).toContain(`write hostKey: ${String(hostKey)}`);
    const run = await workspace.run();
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('names no host key');
  });

  it('says what the account may do, and leaves nothing behind', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server, { originals: 'archive' });
    send(server, 'march.csv', csv(2));
    // More than a server names in one answer.
    const others = Array.from({ length: 104 }, (_, index) => `notes-${index}.md`);
    for (const name of others) writeFileSync(join(server.folder, name), '');
    const { code, stdout } = await workspace.cli('source', 'test', 'academy', '--json');
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Checks).checks.map(({ message }) => message)).toEqual([
      expect.stringContaining('accepts the account'),
      expect.stringContaining('holds 105 files, of which 1 match'),
      'lets files be read',
      'lets files be archived',
    ]);
    expect(served(server)).toEqual(['march.csv', ...others].sort());
    expect(archived(server)).toEqual([]);
    expect((await workspace.cli('doctor')).stdout).toContain('lets files be read');
  });

  it('refuses a source without a remote inbox', async () => {
    const workspace = await testWorkspace();
    const { code, stderr } = await workspace.cli('source', 'test', 'academy');
    expect(code).toBe(2);
    expect(stderr).toContain('source academy has no remote inbox');
  });
});

describe('registrar check', { tags: ['sshd'] }, () => {
  const address = ({ port, folder }: SftpFolder, name: string) => `sftp://127.0.0.1:${port}${folder}/${name}`;

  it('takes the address of a file on the server, packed or not, and leaves no copy of it', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server, { originals: 'delete' }, { hasNoLedger: true });
    send(server, 'march.csv', csv(3));
    send(server, 'april.csv.gz', gzipSync(csv(2)));
    for (const [name, rows] of [
      ['march.csv', 3],
      ['april.csv.gz', 2],
    ] as const) {
      const args = [address(server, name), '--source', 'academy', '--json'];
      const checked = documentOf<{ dispositions: object }>(await workspace.cli('check', ...args));
      expect(checked.dispositions).toMatchObject({ staged: rows });
      const { counts } = documentOf<{ counts: object }>(await workspace.cli('inspect', ...args));
      // With the header.
      expect(counts).toMatchObject({ records: rows + 1 });
    }
    expect(served(server)).toEqual(['april.csv.gz', 'march.csv']);
    expect(workspace.files('processing')).toEqual([]);
    expect(existsSync(join(workspace.root, 'registrar.db'))).toBe(false);
  });

  it('says what to do about any other address', async () => {
    const server = await sharedServer();
    const workspace = await testWorkspace({
      sources: { academy: { inbox: { sftp: server.settings } }, campus: {} },
    });
    const refusalOf = async (...args: string[]) => {
      const { code, stderr } = await workspace.cli(...args);
      return [code, stderr.replace(/\s+/g, ' ')];
    };
    expect(await refusalOf('check', address(server, 'may.csv'), '--source', 'academy')).toEqual([
      2,
      expect.stringMatching(
        /has no file may\.csv\. registrar run --dry-run lists the files that are there\./,
      ),
    ]);
    const elsewhere = 'sftp://files.example.com:22/out/march.csv';
    expect(await refusalOf('check', elsewhere, '--source', 'academy')).toEqual([
      2,
      expect.stringContaining(`(academy fetches files from ${address(server, '').slice(0, -1)})`),
    ]);
    for (const args of [
      ['inspect', elsewhere],
      ['check', elsewhere, '--source', 'campus'],
    ]) {
      expect(await refusalOf(...args)).toEqual([
        2,
        expect.stringContaining('with --source, or download the file and name the local one'),
      ]);
    }
  });
});
