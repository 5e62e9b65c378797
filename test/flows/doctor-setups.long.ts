import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { examinedApart, examinedByNobody, finds } from '../support/examined.js';
import { onlyForFiles } from '../support/only-for-files.js';
import { tempFolder } from '../support/temp-folder.js';
import { testWorkspace } from '../support/workspace.js';
import { giveToNobody, inDatabase } from './doctor-setups-setup.js';

const SLOW = { timeout: 300_000 };

describe('doctor names what is wrong with the folders', SLOW, () => {
  it('inboxes that may not be read or written', { tags: ['unprivileged'] }, async () => {
    const [unread, unwritten] = [tempFolder(), tempFolder()];
    const workspace = await testWorkspace({
      hasNoLedger: true,
      sources: { academy: { inbox: unread }, campus: { inbox: unwritten } },
    });
    for (const folder of [workspace.root, unread, unwritten]) giveToNobody(folder);
    chmodSync(unread, 0o300);
    chmodSync(unwritten, 0o500);
    const found = await examinedByNobody(workspace);
    for (const inbox of [unread, unwritten]) chmodSync(inbox, 0o700);
    const fault =
      /^broken folder: can't be used: permission denied; .* and this process is uid \d+\. Let the user that runs Registrar read, write and enter it\./;
    finds(found, 74, [
      fault,
      fault,
      ...inDatabase(
        workspace,
        /^broken health: The inbox of source academy can't be read: .*permission denied/,
      ),
    ]);
    const broken = found.all.filter(({ check, verdict }) => check === 'folder' && verdict === 'broken');
    expect(broken.map(({ subject }) => subject)).toEqual([unread, unwritten]);
  });
});

describe('doctor names what is wrong with the installation', SLOW, () => {
  it('a native module that was not built', onlyForFiles('its driver'), async () => {
    const workspace = await testWorkspace();
    const hook = join(workspace.root, 'no-native.mjs');
    writeFileSync(
      hook,
      `import Module from 'node:module';
Module._extensions['.node'] = (_, file) => {
  throw Object.assign(new Error('Cannot find module ' + file), { code: 'MODULE_NOT_FOUND' });
};`,
    );
    const found = await examinedApart(workspace, { NODE_OPTIONS: `--import ${pathToFileURL(hook)}` });
    finds(found, 74, [
      /^broken ledger: .*better-sqlite3.*it has not been built, .*\. Build it for this Node: npm rebuild better-sqlite3/,
      /^attention token: skipped/,
    ]);
  });
});
