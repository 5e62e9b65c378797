import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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

const sharedServer = sharedSftpServer();

describe('files of an SFTP server', { tags: ['sshd'] }, () => {
  it('are fetched, delivered, and left where they are', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server);
    send(server, 'march.csv', csv(3));
    send(server, 'notes.md', 'not for us');
    const { code, report } = await workspace.run();
    expect(code).toBe(0);
    expect(report.states).toMatchObject({ accepted: 3 });
    expect(workspace.files('archive')).toEqual(['academy/1-march.csv']);
    expect(served(server)).toEqual(['march.csv', 'notes.md']);
    expect((await workspace.run()).report.rows).toBe(0);
    expect(workspace.query('select count(*) as n from arrival')).toEqual([{ n: 1 }]);
    expect(workspace.files('inbox')).toEqual([]);
  });

  it('come through a proxy where the source names one, which hears the name of the server alone', async () => {
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
    expect([...new Set(proxy.asked)]).toEqual([`files.inside.example:${server.settings.port}`]);
    expect((await workspace.cli('source', 'test', 'academy')).code).toBe(0);

    setSources(workspace, {
      inbox: { sftp: { ...server.settings, host: 'files.inside.example', proxy: address('') } },
    });
    const { stderr } = await workspace.cli('run');
    expect(stderr).toContain('the proxy answers CONNECT with 407');
    expect(stderr).not.toContain('sesame');
  });

  it('are fetched again under the same name where they have other bytes', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server);
    send(server, 'march.csv', csv(2));
    await workspace.run();
    send(server, 'march.csv', csv(3));
    await workspace.run();
    expect(workspace.states()).toEqual({ accepted: 3 });
    expect(workspace.files('archive')).toHaveLength(2);
  });

  it.each(['archive', 'delete'] as const)(
    'are settled by "%s" once their rows count, and not before',
    async (originals) => {
      const server = await sharedServer();
      const workspace = await readerOf(server, { originals });
      send(server, 'good.csv', csv(2));
      send(server, 'bad.csv', 'nothing that is an export');
      await workspace.run();
      expect(workspace.states()).toEqual({ accepted: 2 });
      expect(served(server)).toEqual(['bad.csv']);
      expect(archived(server)).toEqual(originals === 'archive' ? ['good.csv'] : []);
      // The same bytes under the same name once more are the same rows, and another file to settle.
      send(server, 'good.csv', csv(2));
      await workspace.run();
      expect(served(server)).toEqual(['bad.csv']);
      expect(archived(server)).toEqual(originals === 'archive' ? ['good (2).csv', 'good.csv'] : []);
      expect(workspace.states()).toEqual({ accepted: 2 });
    },
  );

  it('are left until their done-marker is there, which goes with them', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server, { originals: 'delete', doneMarker: '.done' });
    send(server, 'march.csv', csv(2));
    expect((await workspace.run()).report.rows).toBe(0);
    send(server, 'march.csv.done', '');
    expect((await workspace.run()).report.dispositions.staged).toBe(2);
    expect(served(server)).toEqual([]);
  });

  it('whose originals are settled by a later run are not looked for once more', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server, { originals: 'leave', doneMarker: '.done' });
    send(server, 'march.csv', csv(2));
    send(server, 'march.csv.done', '');
    await workspace.run();
    expect(served(server)).toEqual(['march.csv', 'march.csv.done']);
    const config = join(workspace.root, 'registrar.yaml');
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace('"originals": "leave"', '"originals": "delete"'),
    );
    const { code, report } = await workspace.run();
    expect(served(server)).toEqual([]);
    expect([code, (report as unknown as { unmatched: unknown[] }).unmatched]).toEqual([0, []]);
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

  it('may have names in any script; a name that is no name for a file is reported and left', async () => {
    const server = await sharedServer();
    const workspace = await readerOf(server);
    for (const [index, name] of ['年度.csv', 'März – ‹1›.csv', "o'neil $(x) `y`.csv"].entries()) {
      send(server, name, csv(1, index));
    }
    send(server, 'a\tb.csv', csv(1, 9));
    // In another encoding.
    const latin = Buffer.concat([Buffer.from(`${server.folder}/`), Buffer.from('ä.csv', 'latin1')]);
    renameSync(join(server.folder, 'a\tb.csv'), latin);
    send(server, 'c\nd.csv', csv(1, 8));
    const { code, report } = await workspace.run();
    expect(code).toBe(1);
    expect(report.states).toMatchObject({ accepted: 3 });
    expect(
      (report as unknown as { unmatched: { code: string }[] }).unmatched.map((file) => file.code),
    ).toEqual(['bad-name', 'bad-name']);
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

  it('lets files be read that the account may not move, and names them', async () => {
    const server = await sftpServer({ isReadOnly: true });
    const workspace = await readerOf(server, { originals: 'archive' });
    send(server, 'march.csv', csv(2));
    const { code, report } = await workspace.run();
    expect(code).toBe(1);
    expect(report.states).toMatchObject({ accepted: 2 });
    expect((report as unknown as { unmatched: object[] }).unmatched).toMatchObject([
      {
        code: 'unreadable',
        reason: expect.stringContaining('could not archive march.csv: permission denied'),
      },
    ]);
    const again = await workspace.run();
    expect([
      again.report.rows,
      (again.report as unknown as { unmatched: object[] }).unmatched.length,
    ]).toEqual([0, 1]);
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

  it('names the right that is missing', async () => {
    const server = await sftpServer({ isReadOnly: true });
    const workspace = await readerOf(server, { originals: 'delete' });
    const { code, stdout } = await workspace.cli('source', 'test', 'academy');
    expect(code).toBe(74);
    expect(stdout).toContain('permission denied');
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
