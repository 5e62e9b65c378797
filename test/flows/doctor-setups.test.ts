import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { examined, examinedApart, examinedByNobody, finds } from '../support/examined.js';
import { csvOf, exportRows } from '../support/exports.js';
import { onlyForFiles } from '../support/only-for-files.js';
import { OTHER_FILE_SYSTEM } from '../support/other-file-system.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { tempFolder } from '../support/temp-folder.js';
import { type TestWorkspace, testWorkspace, type WorkspaceSpec } from '../support/workspace.js';
import { tamper } from '../support/workspace-ledger.js';
import { giveToNobody, inDatabase } from './doctor-setups-setup.js';

/** A workspace that has delivered a file. */
async function delivered(root = tempFolder()): Promise<TestWorkspace> {
  const workspace = await testWorkspace({ root });
  workspace.drop('a.csv', csvOf(exportRows(2)));
  await workspace.run();
  return workspace;
}

const copy = preparedWorkspace(delivered);

/** The same, made once and copied. */
const copyOfDelivered = (spec: WorkspaceSpec = {}) => copy(spec);

const SLOW = { timeout: 300_000 };

describe('doctor names what is wrong with registrar.yaml', SLOW, () => {
  const ASKED_NOBODY = /^attention token: skipped: the configuration is invalid\. Correct that first\./;

  it('a mistake in it, with its line', async () => {
    const workspace = await testWorkspace({ sources: { academy: { timeZone: 'Europe/Berln' } } });
    finds(await examined(workspace), 2, [
      /^broken configuration: registrar\.yaml:\d+: sources\[0\]\.timeZone "Europe\/Berln" is not an IANA time zone; did you mean Europe\/Berlin\?/,
      ASKED_NOBODY,
    ]);
  });

  it('that it isn’t YAML', async () => {
    const workspace = await testWorkspace();
    writeFileSync(join(workspace.root, 'registrar.yaml'), 'environments:\n\tmain: {}\n');
    finds(await examined(workspace), 2, [
      /^broken configuration: registrar\.yaml:2: the line is indented with a tab; use spaces/,
      ASKED_NOBODY,
    ]);
  });

  it('a variable that is not set, and still looks into the inboxes', async () => {
    const workspace = await testWorkspace({ hasNoLedger: true });
    workspace.drop('notes.pdf', 'x');
    finds(await examined(workspace, { REGISTRAR_CLIENT_SECRET: '' }), 2, [
      /^broken configuration: registrar\.yaml:\d+: environments\.main\.clientSecret refers to the environment variable REGISTRAR_CLIENT_SECRET, which is empty; set it/,
      /^attention inbox: has a name that doesn't match source academy .*\. Rename it to fit, or widen match/,
      ...inDatabase(workspace, /^attention health: 1 file in the inbox of source academy can't be imported/),
      ASKED_NOBODY,
    ]);
  });

  it('a secret’s file that others can read, or that is not there', async () => {
    const own = { clientSecret: undefined, clientSecretFile: 'secret' };
    const workspace = await testWorkspace({ environments: { main: own } });
    const file = join(workspace.root, 'secret');
    writeFileSync(file, 'sandbox-secret');
    chmodSync(file, 0o644);
    finds(await examined(workspace), 0, [
      /^attention configuration: .*clientSecretFile "secret" can be read by others too \(rights 0644\): chmod 600 \/.*\/secret\. /,
    ]);
    rmSync(file);
    finds(await examined(workspace), 2, [
      /^broken configuration: .*clientSecretFile "secret" cannot be read: there is no such file/,
      ASKED_NOBODY,
    ]);
  });

  it('one client id with two quotas', async () => {
    const workspace = await testWorkspace({
      environments: { main: {}, other: { quota: { requests: 20, per: '1m' } } },
    });
    finds(await examined(workspace), 2, [
      /^broken configuration: .*environments\.other\.quota differs from environments\.main\.quota, .*give both the same/,
      ASKED_NOBODY,
    ]);
  });

  it('that this user may not read it, as a fault of the disk', { tags: ['unprivileged'] }, async () => {
    const workspace = await testWorkspace();
    giveToNobody(workspace.root);
    chmodSync(join(workspace.root, 'registrar.yaml'), 0o000);
    finds(await examinedByNobody(workspace), 74, [
      /^broken configuration: .*registrar\.yaml can't be read: permission denied; .* rights 0000, and this process is uid \d+\. Run Registrar as that user/,
    ]);
  });
});

describe('doctor names what is wrong with the folders', SLOW, () => {
  it('an inbox that is not there, or is a file', async () => {
    const inbox = join(tempFolder(), 'share');
    const workspace = await testWorkspace({ hasNoLedger: true, sources: { academy: { inbox } } });
    finds(await examined(workspace), 74, [
      /^broken folder: is not there\. Mount the disk it is on, or correct inbox of the source\./,
      ...inDatabase(
        workspace,
        /^broken health: The inbox of source academy can't be read: .*no such file or folder/,
      ),
    ]);
    writeFileSync(inbox, '');
    finds(await examined(workspace), 74, [
      /^broken folder: is a file, not a folder\. Correct inbox of the source\./,
      /^broken health: The inbox of source academy can't be read: /,
    ]);
  });

  it('a folder for backups that is not there, or may not be written', async () => {
    const folder = tempFolder();
    const workspace = await testWorkspace({
      hasNoLedger: true,
      schedule: [{ cron: '@daily', do: ['backup'], folder: join(folder, 'nowhere') }],
    });
    finds(await examined(workspace), 74, [
      /^broken folder: is not there\. Mount the disk it is on, or correct schedule\[0\]\.folder\./,
      ...inDatabase(
        workspace,
        /^attention health: No service is running/,
        /^broken health: Backups can't be written to /,
      ),
    ]);
    mkdirSync(join(folder, 'nowhere'), { mode: 0o500 });
    giveToNobody(workspace.root);
    giveToNobody(folder);
    finds(await examinedByNobody(workspace), 74, [
      /^broken folder: can't be used: permission denied; .* Let the user that runs Registrar read, write and enter it\./,
      /^attention health: No service is running/,
      /^broken health: Backups can't be written to /,
    ]);
  });

  it('an inbox on another disk: it can be used, and files are copied', {
    tags: ['other-file-system'],
  }, async () => {
    const inbox = mkdtempSync(join(OTHER_FILE_SYSTEM ?? '', 'registrar-'));
    onTestFinished(() => rmSync(inbox, { recursive: true }));
    const workspace = await testWorkspace({ sources: { academy: { inbox } } });
    await workspace.run();
    const found = await examined(workspace);
    finds(found, 0, []);
    expect(found.all.find(({ subject }) => subject === inbox)?.message).toBe(
      'can be used; on another file system, so files are copied, compared and then removed',
    );
  });

  it('a file where a folder of the workspace should be', async () => {
    const workspace = await testWorkspace();
    writeFileSync(join(workspace.root, 'archive'), '');
    finds(await examined(workspace), 74, [
      /^broken folder: is a file, not a folder\. Move it away; the next run creates the folder\./,
    ]);
  });

  it('folders that other users may read', async () => {
    const workspace = await copyOfDelivered();
    chmodSync(join(workspace.root, 'archive'), 0o755);
    finds(await examined(workspace), 0, [
      /^attention folder: other users of this machine can read it, and it holds personal data\. chmod 700 \/.*\/archive/,
    ]);
  });

  it('files that a run which died has left in processing/', async () => {
    const workspace = await copyOfDelivered();
    mkdirSync(join(workspace.root, 'processing/academy'), { recursive: true });
    writeFileSync(join(workspace.root, 'processing/academy/0123abcd-left.csv'), 'x');
    finds(await examined(workspace), 0, [
      /^attention health: The import of 1 file of source academy was interrupted\..*The next registrar run.*/,
    ]);
  });

  it('a disk that is nearly full', { tags: ['mount'] }, async () => {
    const root = tempFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m,mode=700', 'tmpfs', root]);
    onTestFinished(() => void spawnSync('umount', ['--lazy', root]));
    const workspace = await testWorkspace({ hasNoLedger: true, root });
    finds(await examined(workspace), 74, [
      ...inDatabase(workspace, /^attention health: \d+ MB are free .*the ledger needs 100 MB/),
      /^broken disk: \d+ MB are free .*the ledger needs 100 MB\..* Free disk space\./,
    ]);
  });
});

it('doctor names a read-only mount', {
  ...SLOW,
  tags: ['mount'],
}, async () => {
  const workspace = await copyOfDelivered();
  const { root } = workspace;
  execFileSync('mount', ['--bind', root, root]);
  onTestFinished(() => void spawnSync('umount', ['--lazy', root]));
  execFileSync('mount', ['-o', 'remount,bind,ro', root]);
  const { code, wrong } = await examined(workspace, {}, '--offline');
  expect(wrong).toContainEqual(
    expect.stringMatching(
      /^broken folder: can't be used \(EROFS\)\. .*mounted read-only, mount it for writing\./,
    ),
  );
  expect(code).toBe(74);
});

describe('doctor names what is wrong with the ledger', SLOW, () => {
  const UNREADABLE = { skipReceivedCheck: 'its ledger cannot be read' };
  const ASKED_NOBODY = /^attention token: skipped: the ledger is unusable\. Repair the ledger first\./;

  it('that it is damaged', onlyForFiles('its bytes'), async () => {
    const workspace = await copyOfDelivered(UNREADABLE);
    const path = join(workspace.root, 'registrar.db');
    writeFileSync(path, readFileSync(path).fill(0x55, 0, 20_000));
    finds(await examined(workspace), 74, [
      /^broken ledger: .*registrar\.db is damaged.*\. Restore it from a backup: registrar restore FILE --because TEXT\./,
      ASKED_NOBODY,
    ]);
  });

  it('that a newer Registrar has written it', async () => {
    const workspace = await copyOfDelivered(UNREADABLE);
    await tamper(
      workspace,
      "insert into schema_migration values ('0099-later', 'x', '2030-01-01T00:00:00.000Z')",
    );
    finds(await examined(workspace), 74, [
      /^broken ledger: .*was written by a newer or different Registrar: its schema has 0099-later.*\. Use the Registrar that wrote it, or a newer one\./,
      ASKED_NOBODY,
    ]);
  });

  it('that it was moved away', onlyForFiles('its place'), async () => {
    const workspace = await copyOfDelivered();
    const path = join(workspace.root, 'registrar.db');
    for (const end of ['', '-wal', '-shm']) {
      if (workspace.files('.').includes(`registrar.db${end}`)) renameSync(path + end, `${path}${end}.away`);
    }
    finds(await examined(workspace), 74, [
      /^broken ledger: the ledger .*registrar\.db is missing or empty: registrar\.marker\.json shows that there was one.*\. Move it back, or restore a backup/,
      ASKED_NOBODY,
    ]);
  });

  it('that it is another user’s', {
    tags: ['root', 'unprivileged'],
    ...onlyForFiles('its owner'),
  }, async () => {
    const workspace = await delivered();
    giveToNobody(workspace.root);
    execFileSync('chown', ['0:0', join(workspace.root, 'registrar.db')]);
    const found = await examinedByNobody(workspace);
    finds(found, 74, [
      /^broken ledger: the ledger .*registrar\.db can't be opened for reading and writing: .*belongs to uid 0 .*, and this process is uid 65534\. Run Registrar as that user, or give this one the workspace/,
    ]);
  });
});

describe('doctor names what is wrong with the installation', SLOW, () => {
  it('a Node.js that is too old', async () => {
    const workspace = await testWorkspace();
    const hook = join(workspace.root, 'older.mjs');
    writeFileSync(hook, "Object.defineProperty(process, 'version', { value: 'v20.11.1' });");
    const found = await examinedApart(workspace, { NODE_OPTIONS: `--import ${pathToFileURL(hook)}` });
    finds(found, 74, [
      /^broken node: Node\.js v20\.11\.1; Registrar needs 20\.19 or newer\. Install a newer Node\.js/,
    ]);
  });
});
