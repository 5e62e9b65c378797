import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedSftpServer } from '../support/sftp-server.js';
import { smallFileSystem } from '../support/small-file-system.js';
import { csv, longCsv, NAMES, served, sftpSender, stateOf } from './results-setup.js';

const sharedServer = sharedSftpServer();

describe('results on an SFTP server', { tags: ['sshd'] }, () => {
  it('replace those of an earlier try', async () => {
    const server = await sharedServer();
    const workspace = await sftpSender(server);
    workspace.drop('march.csv', csv(2));
    await workspace.startWith({ REGISTRAR_FAILPOINT: 'result-file-put:2' }, 'run').ended;
    expect(served(server)).toHaveLength(2);
    await workspace.run();
    expect(served(server)).toEqual(NAMES);
  });

  it('wait while its disk is full, and no half file has a name', { tags: ['mount'] }, async () => {
    const server = await sharedServer();
    const folder = smallFileSystem();
    const workspace = await sftpSender(server, { folder });
    writeFileSync(join(folder, 'other'), Buffer.alloc(32 * 1024 * 1024 - 8192));
    // More than there is room for.
    workspace.drop('march.csv', longCsv(20));
    const { code, stderr } = await workspace.run();
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('could not write a result of source academy'),
    ]);
    const whole = () =>
      readdirSync(folder)
        .filter((name) => !name.startsWith('.'))
        .sort();
    expect(whole()).toEqual(['other']);
    expect(await stateOf(workspace)).toMatchObject({ waiting: 1, failing: 1 });
    rmSync(join(folder, 'other'));
    await workspace.run();
    expect(readdirSync(folder).sort()).toEqual(NAMES);
  });
});
